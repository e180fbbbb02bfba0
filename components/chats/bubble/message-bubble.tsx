import dynamic from "next/dynamic";
import { messageElementId } from "@/components/chats/bubble/message-element-id";
import { MessageParts } from "@/components/chats/bubble/message-parts";
import { MessageStatus } from "@/components/chats/bubble/message-status";
import { HandleLink } from "@/components/customers/handle-link";
import { untilLoaded } from "@/components/data/until-loaded";
import { cn } from "@/lib/cn";
import type { MessageView } from "@/lib/messaging/messages/message-view";

// Loaded with the first reply.
const ReplyQuote = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/bubble/reply-quote")).ReplyQuote),
  {
    loading: () => null,
  },
);

type MessageBubbleProps = {
  message: MessageView;
  /** The sender's handle, shown above the bubble in groups. */
  sender?: string;
  /** The message that this one replies to, if it is loaded. */
  replied?: MessageView;
  /** A newer message updated the card of this one: recipients see only the newer card. */
  isReplaced?: boolean;
  /** The chat was opened at this message. */
  isFound?: boolean;
};

/** A message in the timeline: content, service and delivery status. */
export function MessageBubble({
  message,
  sender,
  replied,
  isReplaced = false,
  isFound = false,
}: MessageBubbleProps) {
  const outbound = message.is_from_me;
  return (
    <article
      id={messageElementId(message.id)}
      tabIndex={-1}
      aria-label={outbound ? "Sent message" : `Message from ${sender ?? "recipient"}`}
      aria-current={isFound || undefined}
      className={cn(
        "group/message flex w-full flex-col gap-1 aria-[current]:rounded-lg aria-[current]:bg-warning/15 aria-[current]:py-1 aria-[current]:outline-4 aria-[current]:outline-warning/15",
        outbound ? "items-end" : "items-start",
      )}
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
          (isReplaced || message.unsent_at !== undefined) &&
            "rounded-lg border border-muted-foreground/60 border-dashed p-1",
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
