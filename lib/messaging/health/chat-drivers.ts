import { z } from "zod";

/** Minimum ratio of received to sent messages: one in five. Below it, the chat has a low reply ratio. */
const ANSWERS_LEAST = 0.2;
const SENT_LEAST = 4;
const REPEATED_LEAST = 3;

const ChatDriverKey = z.enum(["opted_out", "unanswered", "low_reply_ratio", "repeated_text"]);

/** A risk factor of a chat, with the number behind it. */
export const ChatDriver = z.object({ key: ChatDriverKey, metric: z.string() });
type ChatDriver = z.infer<typeof ChatDriver>;

/** The counters of a chat, over its last messages and the last 24 hours. */
export interface ChatEventData {
  isOptedOut: boolean;
  /** Unanswered sends in 24 hours, up to the counted maximum. */
  unanswered: number;
  sent: number;
  received: number;
  /** The highest number of times that one text was sent. */
  repeated: number;
}

/**
 * Returns the risk factors of a chat, most severe first. Only opt-outs and unanswered sends determine its health; a low
 * reply ratio and repeated text explain it (docs/contract.md, section 5.7).
 */
export function chatDrivers({
  isOptedOut,
  unanswered,
  sent,
  received,
  repeated,
}: ChatEventData): ChatDriver[] {
  const isQuiet = sent >= SENT_LEAST && received / sent < ANSWERS_LEAST;
  const drivers: (ChatDriver | null)[] = [
    isOptedOut ? { key: "opted_out", metric: "asked to stop" } : null,
    unanswered > 0 ? { key: "unanswered", metric: `${unanswered} in 24 hr` } : null,
    isQuiet ? { key: "low_reply_ratio", metric: `${received} for ${sent} sent` } : null,
    repeated >= REPEATED_LEAST ? { key: "repeated_text", metric: `${repeated} times` } : null,
  ];
  return drivers.filter((driver) => driver !== null);
}
