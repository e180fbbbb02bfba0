import dynamic from "next/dynamic";
import { messageElementId } from "@/components/chats/bubble/message-element-id";
import { MessageParts } from "@/components/chats/bubble/message-parts";
import { MessageStatus } from "@/components/chats/bubble/message-status";
import { HandleLink } from "@/components/customers/handle-link";
import { cn } from "@/lib/cn";
import type { TimelineMessage } from "@/lib/messaging/messages/timeline-message";

// Loaded with the first reply.
const ReplyQuote = dynamic(async () => (await import("@/components/chats/bubble/reply-quote")).ReplyQuote, {
  loading: () => null,
});

type MessageBubbleProps = {
  message: TimelineMessage;
  /** The sender's handle, shown above the bubble in groups. */
  sender?: string;
  /** The message that this one replies to, if it is loaded. */
  replied?: TimelineMessage;
  /** A newer message updated the card of this one: recipients see only the newer card. */
  isReplaced?: boolean;
};

/** A message in the timeline: content, service and delivery status. */
export function MessageBubble({ message, sender, replied, isReplaced = false }: MessageBubbleProps) {
  const outbound = message.is_from_me;
  return (
    <article
      id={messageElementId(message.id)}
      tabIndex={-1}
      aria-label={outbound ? "Sent message" : `Message from ${sender ?? "recipient"}`}
      className={cn("group/message flex w-full flex-col gap-1", outbound ? "items-end" : "items-start")}
    >
      {sender && !outbound && (
        <p className="px-1 text-muted-foreground text-xs">
          <HandleLink handle={sender} />
        </p>
      )}
      {message.reply_to && <ReplyQuote partIndex={message.reply_to.part_index} replied={replied} />}
      {isReplaced && <p className="px-1 text-muted-foreground text-xs">Replaced by the updated card below</p>}
      <div
        className={cn(
          isReplaced && "rounded-lg border border-muted-foreground/60 border-dashed p-1",
          "flex max-w-[min(92%,38rem)] flex-col gap-1",
          outbound ? "items-end" : "items-start",
        )}
      >
        <MessageParts message={message} />
      </div>
      <MessageStatus message={message} />
    </article>
  );
}
