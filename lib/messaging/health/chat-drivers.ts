import { z } from "zod";

/** Of a chat's last messages so few are answers that it counts: one in five. */
const ANSWERS_LEAST = 0.2;
const SENT_LEAST = 4;
const REPEATED_LEAST = 3;

const ChatDriverKey = z.enum(["opted_out", "unanswered", "low_reply_ratio", "repeated_text"]);

/** A risk factor of a chat, with the number behind it. */
export const ChatDriver = z.object({ key: ChatDriverKey, metric: z.string() });
type ChatDriver = z.infer<typeof ChatDriver>;

/** The counters of a chat: of its last messages, and of the last 24 hours. */
export interface ChatEventData {
  isOptedOut: boolean;
  /** Sends of 24 h without an answer, as many as are counted. */
  unanswered: number;
  sent: number;
  received: number;
  /** Number of times that the same text was sent. */
  repeated: number;
}

/**
 * The risk factors of a chat, most severe first. Only opt-outs and unanswered sends determine its status. A low
 * number of replies and repeated text explain it (contract.md 0).
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
