"use client";

import { CornerUpLeft } from "lucide-react";
import { messageElementId } from "@/components/chats/bubble/message-element-id";
import { describeContent } from "@/components/chats/parts/describe-content";
import type { MessageView } from "@/lib/messaging/messages/message-view";

type ReplyQuoteProps = {
  partIndex: number;
  /** The message replied to; undefined when it is not loaded. */
  replied: MessageView | undefined;
};

/** Quotes the message replied to and scrolls to it on click. */
export function ReplyQuote({ partIndex, replied }: ReplyQuoteProps) {
  if (replied === undefined) {
    return (
      <p className="flex items-center gap-1.5 px-1 text-muted-foreground text-xs">
        <CornerUpLeft className="size-3.5 shrink-0" aria-hidden="true" />
        Reply to an earlier message
      </p>
    );
  }
  const writer = replied.is_from_me ? "this line" : (replied.from ?? "the recipient");
  return (
    <button
      type="button"
      onClick={() => showMessage(replied.id)}
      className="max-w-[min(85%,36rem)] rounded-md border-muted-foreground/50 border-l-2 px-2 py-0.5 text-left text-muted-foreground text-xs hover:bg-muted"
    >
      <span className="block tabular-nums">Reply to {writer}</span>
      <span className="wrap-anywhere line-clamp-2">{describeContent(replied, partIndex)}</span>
    </button>
  );
}

function showMessage(messageId: string): void {
  const element = document.getElementById(messageElementId(messageId));
  element?.scrollIntoView({ block: "center" });
  element?.focus({ preventScroll: true });
}
