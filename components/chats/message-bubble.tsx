import { Info } from "lucide-react";
import type { BubbleMessage, BubblePart, MessageFailure } from "@/components/chats/bubble-message";
import { MediaPart } from "@/components/chats/media-part";
import { MessageDetails } from "@/components/chats/message-details";
import { type Service, statusLooks } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { cn } from "@/lib/cn";

type MessageBubbleProps = {
  message: BubbleMessage;
  /** Who wrote it, above the bubble: for groups. */
  sender?: string;
  failure?: MessageFailure | null;
  traceId?: string | null;
};

const outboundFills: Record<Service, string> = {
  iMessage: "bg-bubble-imessage text-bubble-outbound-foreground",
  RCS: "bg-bubble-rcs text-bubble-outbound-foreground",
  SMS: "bg-bubble-sms text-bubble-outbound-foreground",
};

const serviceTexts: Record<Service, string> = {
  iMessage: "text-service-imessage",
  RCS: "text-service-rcs",
  SMS: "text-service-sms",
};

// Until a transport has taken the message it has no service, hence no colour.
const undecidedFill =
  "border border-muted-foreground/60 border-dashed bg-secondary text-secondary-foreground";

function fillOf(message: BubbleMessage): string {
  if (!message.is_from_me) return "bg-bubble-inbound text-bubble-inbound-foreground";
  return message.service ? outboundFills[message.service] : undecidedFill;
}

/** One message of a timeline: what was said, how it travelled and what became of it. */
export function MessageBubble({ message, sender, failure, traceId }: MessageBubbleProps) {
  const outbound = message.is_from_me;
  return (
    <article
      aria-label={outbound ? "Sent message" : `Message from ${sender ?? "recipient"}`}
      className={cn("group/message flex w-full flex-col gap-1", outbound ? "items-end" : "items-start")}
    >
      {sender && !outbound && <p className="px-1 text-muted-foreground text-xs tabular-nums">{sender}</p>}
      <div className={cn("flex max-w-[min(85%,36rem)] items-center gap-1", outbound && "flex-row-reverse")}>
        <div
          className={cn(
            "wrap-anywhere min-w-0 whitespace-pre-wrap rounded-2xl px-3.5 py-2 text-[0.875rem] leading-normal",
            outbound ? "rounded-br-md" : "rounded-bl-md",
            fillOf(message),
          )}
        >
          <Parts parts={message.parts} />
        </div>
        <DetailsButton message={message} failure={failure} traceId={traceId} />
      </div>
      <StatusLine message={message} failure={failure} />
    </article>
  );
}

function Parts({ parts }: Pick<BubbleMessage, "parts">) {
  if (!parts || parts.length === 0) return <span className="italic">No content</span>;
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place in the message
    <span key={index} className={cn("block", index > 0 && "mt-1.5", part.type === "link" && "underline")}>
      <Part part={part} />
    </span>
  ));
}

function Part({ part }: { part: BubblePart }) {
  const { type, value, filename, mime_type, size_bytes = 0, url = null } = part;
  if (filename !== undefined && mime_type !== undefined) {
    return <MediaPart filename={filename} mimeType={mime_type} sizeBytes={size_bytes} url={url} />;
  }
  return value ?? <span className="italic">{type}</span>;
}

function statusMoment(message: BubbleMessage): string {
  const moments: Partial<Record<BubbleMessage["delivery_status"], string | null>> = {
    read: message.read_at,
    delivered: message.delivered_at,
    sent: message.sent_at,
  };
  return moments[message.delivery_status] ?? message.created_at;
}

function StatusLine({ message, failure }: Pick<MessageBubbleProps, "message" | "failure">) {
  const { label, icon: Icon } = statusLooks.delivery[message.delivery_status];
  const failed = message.delivery_status === "failed";
  return (
    <p
      className={cn(
        "flex max-w-[min(85%,36rem)] flex-wrap items-center gap-x-1.5 px-1 text-muted-foreground text-xs",
        message.is_from_me && "justify-end text-right",
      )}
    >
      {message.service && (
        <>
          <span className={cn("font-medium", serviceTexts[message.service])}>{message.service}</span>
          <Dot />
        </>
      )}
      {message.is_from_me && (
        <>
          <span
            className={cn("inline-flex items-center gap-1", failed && "font-medium text-destructive-text")}
          >
            <Icon className="size-3" aria-hidden="true" />
            {label}
          </span>
          <Dot />
        </>
      )}
      <Timestamp value={statusMoment(message)} />
      {failed && failure && (
        <span className="flex basis-full flex-col gap-0.5 pt-0.5">
          <span className="text-destructive-text">
            {failure.reason} <span className="font-mono">({failure.code})</span>
          </span>
          {failure.advice && <FailureAdvice {...failure} />}
        </span>
      )}
    </p>
  );
}

function FailureAdvice({ advice, doc_url }: MessageFailure) {
  return (
    <span>
      {advice}{" "}
      {doc_url && (
        <a href={doc_url} target="_blank" rel="noreferrer" className="underline underline-offset-2">
          About this error
        </a>
      )}
    </span>
  );
}

function Dot() {
  return <span aria-hidden="true">·</span>;
}

function DetailsButton(props: Pick<MessageBubbleProps, "message" | "failure" | "traceId">) {
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          size="icon-xs"
          aria-label="Message details"
          className="text-muted-foreground focus-visible:opacity-100 group-hover/message:opacity-100 data-[state=open]:opacity-100 pointer-fine:opacity-0"
        >
          <Info />
        </Button>
      </PopoverTrigger>
      <PopoverContent align={props.message.is_from_me ? "end" : "start"} aria-label="Message details">
        <MessageDetails {...props} />
      </PopoverContent>
    </Popover>
  );
}
