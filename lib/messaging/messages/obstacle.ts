import "server-only";
import { z } from "zod";
import { NamedActor } from "@/lib/identity/audit/actor-sql";
import { PAIR_WINDOW_SECONDS } from "@/lib/messaging/messages/accept-message";
import { ERRORS, type ErrorName } from "@/lib/platform/errors";

/** Why somebody cannot be messaged, the first that a send would meet first. */
const REASONS = [
  "chat_left",
  "line_flagged",
  "blocked",
  "opted_out",
  "never_wrote",
  "pair_limit",
  "daily_limit",
  "line_down",
  "last_failed",
] as const;

export const Obstacle = z
  .object({
    reason: z.enum(REASONS),
    /** Of the error a send answers, or the last one failed with. */
    code: z.int(),
    /** false: sends are accepted, and wait or may fail. */
    refuses: z.boolean(),
    /** Since when; of a limit, when it is over. */
    at: z.iso.datetime().nullable(),
    /** The keyword, the reason of a block, the handles that never wrote, the reason of a failure. */
    detail: z.string().nullable(),
    by: NamedActor,
    /** The message that is the evidence, and its chat. */
    message_id: z.uuid().nullable(),
    chat_id: z.uuid().nullable(),
  })
  .meta({ id: "Obstacle" });

export type Obstacle = z.infer<typeof Obstacle>;

/** What is known of a chat, or of a handle without one, that a send may stumble over. */
export interface ObstacleFacts {
  chat_id: string | null;
  left_at: Date | null;
  is_flagged: boolean | null;
  is_up: boolean | null;
  blocked_at: Date | null;
  blocked_reason: string | null;
  blocked_by: z.infer<typeof NamedActor>;
  opted_out_at: Date | null;
  opted_out_by: z.infer<typeof NamedActor>;
  keyword: string | null;
  opt_out_message_id: string | null;
  opt_out_chat_id: string | null;
  /** Members who have not written to the line of a sandbox. */
  never_wrote: string[];
  /** The oldest send of the window that is full; null while there is room. */
  pair_full_since: Date | null;
  is_day_full: boolean;
  failure_code: number | null;
  failure_reason: string | null;
  failed_at: Date | null;
  failed_message_id: string | null;
}

const DAY_MS = 86_400_000;

/** The obstacles of these facts, in the order in which a send meets them. */
export function toObstacles(facts: ObstacleFacts, now: Date): Obstacle[] {
  const found: (Obstacle | null)[] = [
    facts.left_at && obstacle("chat_left", "chat_unavailable", { at: facts.left_at }),
    facts.is_flagged === true ? obstacle("line_flagged", "line_restricted") : null,
    facts.blocked_at && blocked(facts, facts.blocked_at),
    facts.opted_out_at && optedOut(facts, facts.opted_out_at),
    facts.never_wrote.length === 0
      ? null
      : obstacle("never_wrote", "recipient_not_allowed", { detail: facts.never_wrote.join(", ") }),
    facts.pair_full_since &&
      obstacle("pair_limit", "rate_limited", {
        at: new Date(facts.pair_full_since.getTime() + PAIR_WINDOW_SECONDS * 1000),
      }),
    facts.is_day_full ? obstacle("daily_limit", "rate_limited", { at: nextDay(now) }) : null,
    facts.is_up === false ? { ...obstacle("line_down", "line_down"), refuses: false } : null,
    lastFailed(facts),
  ];
  return found.filter((one) => one !== null);
}

interface More {
  at?: Date;
  detail?: string | null;
  by?: z.infer<typeof NamedActor>;
  messageId?: string | null;
  chatId?: string | null;
}

function obstacle(reason: Obstacle["reason"], error: ErrorName, more: More = {}): Obstacle {
  return {
    reason,
    code: ERRORS[error].code,
    refuses: true,
    at: more.at?.toISOString() ?? null,
    detail: more.detail ?? null,
    by: more.by ?? null,
    message_id: more.messageId ?? null,
    chat_id: more.chatId ?? null,
  };
}

function blocked(facts: ObstacleFacts, at: Date): Obstacle {
  const more = { at, detail: facts.blocked_reason, by: facts.blocked_by };
  return obstacle("blocked", "recipient_blocked", more);
}

function optedOut(facts: ObstacleFacts, at: Date): Obstacle {
  const { keyword: detail, opted_out_by: by, opt_out_message_id: messageId, opt_out_chat_id: chatId } = facts;
  return obstacle("opted_out", "opted_out", { at, detail, by, messageId, chatId });
}

function lastFailed(facts: ObstacleFacts): Obstacle | null {
  if (facts.failure_code === null) return null;
  const { failure_reason: detail, failed_message_id: messageId, chat_id: chatId } = facts;
  const more = { ...(facts.failed_at && { at: facts.failed_at }), detail, messageId, chatId };
  return {
    ...obstacle("last_failed", "delivery_failed", more),
    code: facts.failure_code,
    refuses: false,
  };
}

function nextDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
}
