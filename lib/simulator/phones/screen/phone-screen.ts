import "server-only";
import { z } from "zod";
import type { RowOf } from "@/lib/platform/database/statement";

/** An action of a line on a phone, as the simulated network stores it. Files are stored without their bytes. */
export type PhoneAction = RowOf<"simulator-activity">;

export const PhoneEdit = z.object({
  part_index: z.int().describe("Index of the part, starting at 0."),
  text: z.string().describe("The new text."),
  edited_at: z.iso.datetime().describe("When the part was edited."),
});

export const PhoneReaction = z.object({
  part_index: z.int().describe("Index of the part, starting at 0."),
  type: z.string().describe("Type of the reaction."),
  emoji: z
    .string()
    .nullable()
    .describe("The emoji of a `custom` reaction, or of a sticker made of an emoji; `null` otherwise."),
  placement: z
    .record(z.string(), z.number())
    .nullable()
    .describe("Placement of the sticker; `null` for other reactions."),
  reacted_at: z.iso.datetime().describe("When the line reacted."),
});

type PhoneEdit = z.infer<typeof PhoneEdit>;
type PhoneReaction = z.infer<typeof PhoneReaction>;

const Edit = z.object({ part: z.int(), text: z.string() });
const React = z.object({
  part: z.int(),
  reactionId: z.string(),
  isRemoved: z.boolean(),
  reaction: z.object({
    type: z.string(),
    emoji: z.string().nullable().default(null),
    placement: z.record(z.string(), z.number()).nullable().default(null),
  }),
});
const Move = z.object({ reactionId: z.string(), placement: z.record(z.string(), z.number()) });

/** Computes the edits and reactions of a message on a phone from the actions of lines, oldest first. */
export function readScreen(actions: readonly PhoneAction[]): {
  edits: PhoneEdit[];
  reactions: PhoneReaction[];
} {
  const edits: PhoneEdit[] = [];
  const reactions = new Map<string, PhoneReaction>();
  for (const { action, created_at } of actions) {
    const at = created_at.toISOString();
    if (action.do === "edit") {
      const { part, text } = Edit.parse(action);
      edits.push({ part_index: part, text, edited_at: at });
    }
    if (action.do === "react") react(reactions, React.parse(action), at);
    if (action.do === "move_sticker") move(reactions, Move.parse(action));
  }
  return { edits, reactions: [...reactions.values()] };
}

// A line can have one reaction on a part, but any number of stickers.
function react(on: Map<string, PhoneReaction>, emitted: z.infer<typeof React>, at: string): void {
  const { part, reactionId, isRemoved, reaction } = emitted;
  for (const [id, other] of on) {
    const isReplaced = other.part_index === part && other.type !== "sticker" && reaction.type !== "sticker";
    if (id === reactionId || isReplaced) on.delete(id);
  }
  if (!isRemoved) on.set(reactionId, { part_index: part, ...reaction, reacted_at: at });
}

function move(on: Map<string, PhoneReaction>, { reactionId, placement }: z.infer<typeof Move>): void {
  const moved = on.get(reactionId);
  if (moved !== undefined) on.set(reactionId, { ...moved, placement });
}

/** Returns the parts as the phone currently shows them, with each text's last edit. */
export function editedParts(
  parts: readonly Record<string, unknown>[],
  edits: readonly PhoneEdit[],
): Record<string, unknown>[] {
  return parts.map((part, index) => {
    const last = edits.findLast(({ part_index }) => part_index === index);
    return last === undefined ? part : { ...part, value: last.text };
  });
}
