import type { Reaction } from "@/lib/messaging/reactions/reaction";

/** The same reaction of one or more people. */
export interface ReactionGroup {
  key: string;
  /** The display name. */
  name: string;
  emoji: string;
  sticker: { file_name: string; url: string } | null;
  people: string[];
  type: Reaction["type"];
  isOurs: boolean;
}

const LOOKS = {
  love: { name: "Love", emoji: "❤️" },
  like: { name: "Like", emoji: "👍" },
  dislike: { name: "Dislike", emoji: "👎" },
  laugh: { name: "Laugh", emoji: "😂" },
  emphasize: { name: "Emphasis", emoji: "‼️" },
  question: { name: "Question", emoji: "❓" },
  custom: { name: "Reaction", emoji: "🙂" },
  sticker: { name: "Sticker", emoji: "🏷️" },
} as const satisfies Record<Reaction["type"], { name: string; emoji: string }>;

/** The six standard reactions, in menu order. */
export const QUICK_REACTIONS = (["love", "like", "dislike", "laugh", "emphasize", "question"] as const).map(
  (type) => ({ type, ...LOOKS[type] }),
);

/** Groups reactions by emoji, ordered by first occurrence. Every sticker is a group of its own. */
export function groupReactions(reactions: readonly Reaction[]): ReactionGroup[] {
  const groups = new Map<string, ReactionGroup>();
  for (const { id, type, custom_emoji, sticker, handle, is_me } of reactions) {
    const key = type === "sticker" ? id : `${type} ${custom_emoji ?? ""}`;
    const look = LOOKS[type];
    const group: ReactionGroup = groups.get(key) ?? {
      key,
      type,
      isOurs: false,
      name: custom_emoji === null ? look.name : `${look.name} ${custom_emoji}`,
      emoji: custom_emoji ?? look.emoji,
      sticker,
      people: [],
    };
    group.isOurs ||= is_me;
    group.people.push(is_me ? "This line" : handle.handle);
    groups.set(key, group);
  }
  return [...groups.values()];
}
