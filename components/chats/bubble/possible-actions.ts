import { EDITABLE_MINUTES, MAX_EDITS } from "@/lib/messaging/edits/edit-limits";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import { UNSENDABLE_MINUTES } from "@/lib/messaging/unsends/unsend-limits";

const MINUTE_MS = 60_000;

/** The actions available on a message part. The API enforces the same rules. */
export interface PossibleActions {
  react: boolean;
  /** The edits and minutes left; null when the part can't be edited. */
  edit: { timesLeft: number; minutesLeft: number } | null;
  /** The seconds left to unsend the message; null when it can't be unsent. */
  unsendSeconds: number | null;
  vote: boolean;
  /** The text to copy; null when the part has none. */
  text: string | null;
}

/** The actions available on a part at `nowMs`. `isUsable`: the line is in the chat and may send. */
export function possibleActions(
  message: MessageView,
  partIndex: number,
  { isUsable, nowMs }: { isUsable: boolean; nowMs: number | null },
): PossibleActions {
  const part = message.parts[partIndex];
  const isAlive = isUsable && message.delivery_status !== "failed" && message.unsent_at === undefined;
  return {
    react: isAlive && message.kind !== "poll" && part !== undefined && message.service !== "SMS",
    edit: isAlive && part?.type === "text" ? editsLeft(message, nowMs) : null,
    unsendSeconds: isAlive ? secondsToUnsend(message, nowMs) : null,
    vote: isAlive && message.kind === "poll",
    text: part?.type === "text" || part?.type === "link" ? part.value : null,
  };
}

function secondsToUnsend(message: MessageView, nowMs: number | null): number | null {
  if (!isOutboundIMessage(message) || nowMs === null) return null;
  const until = Date.parse(message.sent_at ?? message.created_at) + UNSENDABLE_MINUTES * MINUTE_MS;
  const seconds = Math.ceil((until - nowMs) / 1000);
  return seconds > 0 ? seconds : null;
}

function isOutboundIMessage({ is_from_me, service }: MessageView): boolean {
  return is_from_me && (service === null || service === "iMessage");
}

function editsLeft(message: MessageView, nowMs: number | null): PossibleActions["edit"] {
  if (!isOutboundIMessage(message) || nowMs === null) return null;
  const until = Date.parse(message.sent_at ?? message.created_at) + EDITABLE_MINUTES * MINUTE_MS;
  const left = {
    timesLeft: MAX_EDITS - message.edits.length,
    minutesLeft: Math.ceil((until - nowMs) / MINUTE_MS),
  };
  return left.timesLeft > 0 && left.minutesLeft > 0 ? left : null;
}

/** For example "3 edits left in the next 12 min". */
export function editsLeftInWords({ timesLeft, minutesLeft }: NonNullable<PossibleActions["edit"]>): string {
  const edits = timesLeft === 1 ? "1 edit" : `${timesLeft} edits`;
  return `${edits} left in the next ${minutesLeft} min`;
}
