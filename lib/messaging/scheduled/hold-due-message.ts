import "server-only";
import { QuietChoice, quietEnd } from "@/lib/messaging/scheduled/quiet-time";
import type { DueMessage } from "@/lib/messaging/scheduled/refuse-message";
import { keepFiles } from "@/lib/messaging/scheduled/scheduled-files";
import { PAIR_WINDOW_SECONDS } from "@/lib/messaging/sending/pair-window";
import type { Context } from "@/lib/platform/context";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { ApiError } from "@/lib/platform/errors/errors";
import { timeOfId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const SECOND_MS = 1000;
/** For how long a held message waits for a limit: a limit of the day may hold it twice. */
const MAX_POSTPONED_MS = 48 * 3_600_000;

// `updated_at` stays: no one has read the chat since.
const HOLD_DUE_MESSAGE = statement(
  "hold-due-message",
  `update scheduled_messages s set due_at = :until, asked_at = least(s.asked_at, s.due_at), quiet_choice = 'hold', lease_until = null,
    attempts = 0, revision = s.revision + 1
  where s.account_id = :accountId and s.id = :messageId and s.revision = :revision and s.due_at <= :now returning 1`,
);

/**
 * Holds a program's message until the end of the quiet hours in which it is tried: the account got them since, or the worker
 * was late. It keeps its id. False when it is not quiet. Errors: quiet_hours.
 */
export async function holdInQuiet(ctx: Context, due: DueMessage): Promise<boolean> {
  const { id: messageId, revision } = due;
  const accountId = ctx.account.id;
  const choice = QuietChoice.parse(due.quiet_choice ?? undefined);
  const until = await quietEnd(ctx, { choice, to: { chatId: due.chat_id }, at: now() });
  if (until === null) return false;
  await transaction(async (tx) => {
    const rows = await tx.run(HOLD_DUE_MESSAGE, { accountId, messageId, revision, until, now: now() });
    if (rows.length > 0) await keepFiles(tx, { accountId, messageIds: [messageId], dueAt: until });
  });
  return true;
}

// Ids that are older than the window are not counted, so the messages go at the pace of the limit themselves.
const POSTPONE_HELD_MESSAGES = statement(
  "postpone-held-messages",
  `with waiting as (
    select s.id, row_number() over (order by s.due_at, s.position) - 1 as place
    from scheduled_messages s join scheduled_messages first
      on first.account_id = s.account_id and first.chat_id = s.chat_id and first.id = :messageId
        and first.revision = :revision and first.due_at is not null
    where s.account_id = :accountId and s.asked_at is not null and s.due_at < :until
  )
  update scheduled_messages s set lease_until = null, attempts = 0, revision = s.revision + 1,
    due_at = :until::timestamptz + w.place * make_interval(secs => coalesce(ceil(${PAIR_WINDOW_SECONDS}.0 / nullif(a.pair_messages, 0)), 1))
  from waiting w join accounts a on a.id = :accountId
  where s.account_id = :accountId and s.id = w.id
  returning s.id, s.due_at as "due_at!"`,
);

/**
 * Lets the held messages of a chat wait until a limit allows the first of them, in their order: they were accepted for the end of
 * the quiet hours, not chosen for it. False when the error is another one, or the message has waited long enough.
 */
export async function postponeDueMessage(ctx: Context, due: DueMessage, error: ApiError): Promise<boolean> {
  const { errorName, retryAfterSeconds } = error;
  if (errorName !== "rate_limited" || retryAfterSeconds === undefined || due.asked_at === null) return false;
  const until = new Date(due.due_at.getTime() + retryAfterSeconds * SECOND_MS);
  if (until.getTime() - timeOfId(due.id) > MAX_POSTPONED_MS) return false;
  const accountId = ctx.account.id;
  await transaction(async (tx) => {
    const { id: messageId, revision } = due;
    const moved = await tx.run(POSTPONE_HELD_MESSAGES, { accountId, messageId, revision, until });
    const last = new Date(Math.max(until.getTime(), ...moved.map(({ due_at }) => due_at.getTime())));
    await keepFiles(tx, { accountId, messageIds: moved.map(({ id }) => id), dueAt: last });
  });
  return true;
}
