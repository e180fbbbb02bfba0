"use client";

import { useMessageDeed } from "@/components/chats/thread";
import type { Reaction } from "@/lib/messaging/reactions/reaction";

/** What a reaction shows: one of the six, or an emoji of its own. */
export interface Sign {
  type: Reaction["type"];
  emoji: string | null;
}

/** The line's own reaction on a part; a sticker is none that can be taken back. */
export function ownReaction(reactions: readonly Reaction[] | null): Reaction | undefined {
  return reactions?.find(({ is_me, type }) => is_me && type !== "sticker");
}

/** Gives the line's reaction to a part, or takes back the one that is there. */
export function useReact(messageId: string, partIndex: number, reactions: readonly Reaction[] | null) {
  const act = useMessageDeed(messageId);
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
