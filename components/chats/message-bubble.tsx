import { MessageParts } from "@/components/chats/message-parts";
import { MessageStatus } from "@/components/chats/message-status";
import { messageElementId, ReplyQuote } from "@/components/chats/reply-quote";
import { cn } from "@/lib/cn";
import type { TimelineMessage } from "@/lib/messaging/messages/timeline-message";

type MessageBubbleProps = {
  message: TimelineMessage;
  /** Who wrote it, above the bubble: for groups. */
  sender?: string;
  /** The message it replies to, if that is loaded. */
  replied?: TimelineMessage;
};

/** One message of a timeline: what was said, how it travelled and what became of it. */
export function MessageBubble({ message, sender, replied }: MessageBubbleProps) {
  const outbound = message.is_from_me;
  return (
    <article
      id={messageElementId(message.id)}
      tabIndex={-1}
      aria-label={outbound ? "Sent message" : `Message from ${sender ?? "recipient"}`}
      className={cn("group/message flex w-full flex-col gap-1", outbound ? "items-end" : "items-start")}
    >
      {sender && !outbound && <p className="px-1 text-muted-foreground text-xs tabular-nums">{sender}</p>}
      {message.reply_to && <ReplyQuote partIndex={message.reply_to.part_index} replied={replied} />}
      <div
        className={cn("flex max-w-[min(92%,38rem)] flex-col gap-1", outbound ? "items-end" : "items-start")}
      >
        <MessageParts message={message} />
      </div>
      <MessageStatus message={message} />
    </article>
  );
}
