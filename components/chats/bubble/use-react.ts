"use client";

import { useMessageAction } from "@/components/chats/timeline/thread";
import type { Reaction } from "@/lib/messaging/reactions/reaction";

/** A reaction: one of the six standard ones, or a custom emoji. */
export interface Sign {
  type: Reaction["type"];
  emoji: string | null;
}

/** The line's own reaction to a part. Stickers don't count, because they can't be removed. */
export function ownReaction(reactions: readonly Reaction[] | null): Reaction | undefined {
  return reactions?.find(({ is_me, type }) => is_me && type !== "sticker");
}

/** Adds the line's reaction to a part, or removes it if it is already there. */
export function useReact(messageId: string, partIndex: number, reactions: readonly Reaction[] | null) {
  const act = useMessageAction(messageId);
  const own = ownReaction(reactions);

  return function react({ type, emoji }: Sign): Promise<boolean> {
    const isThere = own?.type === type && own.custom_emoji === emoji;
    const body = {
      operation: isThere ? "remove" : "add",
      type,
      part_index: partIndex,
      ...(emoji !== null && { custom_emoji: emoji }),
    };
    return act({ method: "POST", path: "/reactions", body });
  };
}
