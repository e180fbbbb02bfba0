import dynamic from "next/dynamic";
import { effectName } from "@/components/composer/text/effect-name";
import { type Service, statusStyles } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { untilLoaded } from "@/components/data/until-loaded";
import { cn } from "@/lib/cn";
import type { MessageView } from "@/lib/messaging/messages/message-view";

// Few messages are edited, and few fail.
const EditHistoryButton = dynamic(
  () =>
    untilLoaded(
      async () => (await import("@/components/chats/bubble/edit-history-button")).EditHistoryButton,
    ),
  { loading: () => null },
);
const MessageFailure = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/bubble/message-failure")).MessageFailure),
  { loading: () => null },
);

const serviceTexts: Record<Service, string> = {
  iMessage: "text-service-imessage",
  RCS: "text-service-rcs",
  SMS: "text-service-sms",
};

/** Service, delivery status and time of a message; for a failed one, also the reason and what to do. */
export function MessageStatus({ message }: { message: MessageView }) {
  const { label, icon: Icon } = statusStyles.delivery[message.delivery_status];
  const failed = message.delivery_status === "failed";
  return (
    <div
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
      <StatusTime message={message} />
      {message.effect !== null && (
        <>
          <Dot />
          <span>{effectName(message.effect.name ?? "unknown")} effect</span>
        </>
      )}
      {message.unsent_at !== undefined && (
        <>
          <Dot />
          <span className="font-medium">Unsent</span>
        </>
      )}
      {message.edits.length > 0 && (
        <>
          <Dot />
          <EditHistoryButton edits={message.edits} />
        </>
      )}
      {message.failure && <MessageFailure failure={message.failure} />}
    </div>
  );
}

// Below the divider of the message's day, which the status may have changed after.
const SAME_DAY_MS = 12 * 3_600_000;

/** The time does not change while the page is open: a thread that changes by itself is read out again and again. */
function StatusTime({ message }: { message: MessageView }) {
  const value = statusMoment(message);
  const isSameDay = Date.parse(value) - Date.parse(message.created_at) < SAME_DAY_MS;
  return <Timestamp value={value} format={isSameDay ? "clock" : "moment"} />;
}

function statusMoment(message: MessageView): string {
  const moments: Partial<Record<MessageView["delivery_status"], string | null>> = {
    read: message.read_at,
    delivered: message.delivered_at,
    sent: message.sent_at,
  };
  return moments[message.delivery_status] ?? message.created_at;
}

function Dot() {
  return <span aria-hidden="true">·</span>;
}
