"use client";

import { groupReactions } from "@/components/chats/bubble/reaction-groups";
import { storedImagePath } from "@/components/chats/parts/stored-file-path";
import { nameOf } from "@/components/phones/phone-context";
import { cn } from "@/lib/cn";
import type { PhoneChat, PhoneMessage } from "@/lib/simulator/phones/phone-views";

export type Reactions = PhoneMessage["parts"][number]["reactions"];

type PhoneReactionsProps = { chat: PhoneChat; phone: string; reactions: Reactions; isMine: boolean };

/** The reactions on a bubble. */
export function PhoneReactions({ chat, phone, reactions, isMine }: PhoneReactionsProps) {
  if (reactions === null || reactions.length === 0) return null;
  return (
    <ul
      aria-label="Reactions"
      className={cn("-mt-2 relative z-1 flex gap-0.5", isMine ? "mr-2 justify-end" : "ml-2")}
    >
      {groupReactions(reactions).map(({ key, name, emoji, sticker, people }) => {
        const image = storedImagePath(sticker?.url);
        const who = people.map((handle) => (handle === phone ? "You" : readable(chat, handle))).join(", ");
        return (
          <li
            key={key}
            title={`${name}: ${who}`}
            className="flex h-6 min-w-6 items-center justify-center gap-0.5 rounded-full border bg-card px-1 text-sm shadow-xs"
          >
            <span className="sr-only">{`${name}: ${who}`}</span>
            {image === null ? (
              <span aria-hidden="true">{emoji}</span>
            ) : (
              // biome-ignore lint/performance/noImgElement: a file behind a signed URL
              <img src={image} alt="" className="size-5 object-contain" />
            )}
            {people.length > 1 && <span className="text-xs tabular-nums">{people.length}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function readable(chat: PhoneChat, handle: string): string {
  return handle === "This line" ? nameOf(chat, chat.line) : nameOf(chat, handle);
}
