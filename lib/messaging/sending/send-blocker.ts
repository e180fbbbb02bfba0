import "server-only";
import { z } from "zod";
import { NamedActor } from "@/lib/identity/audit/actor-sql";
import { PAIR_WINDOW_SECONDS } from "@/lib/messaging/sending/pair-window";
import type { RowOf } from "@/lib/platform/database/statement";
import { ERRORS, type ErrorName } from "@/lib/platform/errors/errors";

/** Why a recipient can't be messaged, in the order in which a send checks for it. */
const REASONS = [
  "chat_left",
  "unreachable",
  "line_flagged",
  "blocked",
  "opted_out",
  "never_wrote",
  "taken_over",
  "loop_held",
  "pair_limit",
  "daily_limit",
  "line_down",
  "last_failed",
] as const;

export const SendBlocker = z
  .object({
    reason: z.enum(REASONS),
    /** The code of the error that a send returns, or that the last message failed with. */
    code: z.int(),
    /** false: sends are accepted, but are queued or may fail. */
    refuses: z.boolean(),
    /** The time since which it applies; for a limit or a chat that was taken over, the time at which it ends. */
    at: z.iso.datetime().nullable(),
    /** The opt-out keyword, the reason of a block or a failure, or the handles that never wrote. */
    detail: z.string().nullable(),
    by: NamedActor,
    /** The message that is the evidence; `chat_id` is its chat. */
    message_id: z.uuid().nullable(),
    chat_id: z.uuid().nullable(),
  })
  .meta({ id: "SendBlocker" });

export type SendBlocker = z.infer<typeof SendBlocker>;

/** The state of a chat, or of a handle without a chat, that can block a send. */
type SendConditions = RowOf<"find-send-blockers">;

const DAY_MS = 86_400_000;

/**
 * The send blockers of a chat or handle, in the order in which a send checks for them. A chat that a person took over, or
 * that is on hold for a loop, refuses sends by programs (`byProgram`) only.
 */
export function toSendBlockers(details: SendConditions, now: Date, byProgram: boolean): SendBlocker[] {
  const found: (SendBlocker | null)[] = [
    details.left_at && sendBlocker("chat_left", "chat_unavailable", { at: details.left_at }),
    details.is_unreachable ? sendBlocker("unreachable", "phone_not_e164") : null,
    details.is_flagged === true ? sendBlocker("line_flagged", "line_restricted") : null,
    details.blocked_at && blocked(details, details.blocked_at),
    details.opted_out_at && optedOut(details, details.opted_out_at),
    details.never_wrote.length === 0
      ? null
      : sendBlocker("never_wrote", "recipient_not_allowed", { detail: details.never_wrote.join(", ") }),
    details.held_until && takenOver(details, details.held_until, byProgram),
    details.loop_held_at && {
      ...sendBlocker("loop_held", "state_conflict", { at: details.loop_held_at }),
      refuses: byProgram,
    },
    details.pair_full_since &&
      sendBlocker("pair_limit", "rate_limited", {
        at: new Date(details.pair_full_since.getTime() + PAIR_WINDOW_SECONDS * 1000),
      }),
    details.is_day_full ? sendBlocker("daily_limit", "rate_limited", { at: nextDay(now) }) : null,
    details.is_up === false ? { ...sendBlocker("line_down", "line_down"), refuses: false } : null,
    lastFailed(details),
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

function sendBlocker(reason: SendBlocker["reason"], error: ErrorName, more: More = {}): SendBlocker {
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

function blocked(details: SendConditions, at: Date): SendBlocker {
  const more = { at, detail: details.blocked_reason, by: details.blocked_by };
  return sendBlocker("blocked", "recipient_blocked", more);
}

function optedOut(details: SendConditions, at: Date): SendBlocker {
  const {
    keyword: detail,
    opted_out_by: by,
    opt_out_message_id: messageId,
    opt_out_chat_id: chatId,
  } = details;
  return sendBlocker("opted_out", "opted_out", { at, detail, by, messageId, chatId });
}

// The name of a person can be an email address, which is not the program's business.
function takenOver({ held_by: by }: SendConditions, at: Date, byProgram: boolean): SendBlocker {
  const isHidden = byProgram && by?.name?.includes("@") === true;
  const holder = isHidden ? { type: "user", name: null } : by;
  return { ...sendBlocker("taken_over", "state_conflict", { at, by: holder }), refuses: byProgram };
}

function lastFailed(details: SendConditions): SendBlocker | null {
  if (details.failure_code === null) return null;
  const { failure_reason: detail, failed_message_id: messageId, chat_id: chatId } = details;
  const more = { ...(details.failed_at && { at: details.failed_at }), detail, messageId, chatId };
  return {
    ...sendBlocker("last_failed", "delivery_failed", more),
    code: details.failure_code,
    refuses: false,
  };
}

function nextDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
}
