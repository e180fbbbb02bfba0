import "server-only";
import { recordUserChange } from "@/lib/identity/audit/record-audit";
import { containsLink } from "@/lib/messaging/content/content-needs";
import { MessageContent } from "@/lib/messaging/content/message-content";
import { holdInQuiet, postponeDueMessage } from "@/lib/messaging/scheduled/hold-due-message";
import { type DueMessage, refuseMessage } from "@/lib/messaging/scheduled/refuse-message";
import { keepUnread } from "@/lib/messaging/sending/keep-unread";
import { prepareMessage } from "@/lib/messaging/sending/prepare-message";
import { rejectFirstLinks } from "@/lib/messaging/sending/reject-first-links";
import { acceptContent } from "@/lib/messaging/sending/send-message";
import { acceptMemo, prepareMemo, ScheduledMemo } from "@/lib/messaging/sending/send-voice-memo";
import type { Actor, Context } from "@/lib/platform/context";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const CONCURRENCY = 8;
const POLL_MS = 500;
/** Longer than the files and checks of a message take. */
const LEASE_SECONDS = 60;
/** How often a message is tried whose sending fails for no fault of its own. The later ones of its chat wait meanwhile. */
const MAX_ATTEMPTS = 5;
const KEY_IS_USED = "another message was sent with its idempotency key";

/** Starts sending scheduled messages when they are due. */
export function startScheduledMessages(): Queue {
  return startQueue<DueMessage>({
    name: "scheduled messages",
    topic: "scheduled",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    hasWaiting,
    claim: claimDueMessages,
    handle: sendDueMessage,
  });
}

const IS_MESSAGE_DUE_SOON = plannedStatement(
  "is-message-due-soon",
  "select exists (select from scheduled_messages where due_at <= :soon) as is_waiting",
);

/** A quiet queue asks about every five seconds. */
const SOON_MS = 6000;

async function hasWaiting(): Promise<boolean> {
  const [row] = await sql.run(IS_MESSAGE_DUE_SOON, { soon: new Date(now().getTime() + SOON_MS) });
  return row?.is_waiting === true;
}

// A message waits for the earlier ones of its chat, also while another process sends them.
const CLAIM_DUE_MESSAGES = plannedStatement(
  "claim-due-messages",
  `with due as (
    select s.account_id, s.id from scheduled_messages s
    where s.due_at <= :now and (s.lease_until is null or s.lease_until < clock_timestamp()) and not exists (
      select from scheduled_messages earlier
      where earlier.account_id = s.account_id and earlier.chat_id = s.chat_id and earlier.due_at <= s.due_at
        and (earlier.due_at, earlier.position) < (s.due_at, s.position))
    order by s.due_at, s.position limit :limit for update of s skip locked
  ), leased as (
    update scheduled_messages s set lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds', attempts = s.attempts + 1
    from due where s.account_id = due.account_id and s.id = due.id and s.due_at is not null
    returning s.*
  )
  select s.account_id, a.partner_id, a.type as account_type, s.id, s.chat_id, s.kind, s.content as "content!", s.parts as "parts!",
    s.override_optout, s.quiet_choice, s.asked_at, s.idempotency_key, s.actor_type, s.actor_id, s.trace_id, s.due_at as "due_at!", s.position, s.revision,
    s.attempts, s.updated_at, u.name as user_name, u.email as user_email
  from leased s join accounts a on a.id = s.account_id
    left join users u on s.actor_type = 'user' and u.id = s.actor_id
  order by s.due_at, s.position`,
);

/** Leases up to `limit` due messages, one for each chat. */
export function claimDueMessages(limit: number): Promise<DueMessage[]> {
  return sql.run(CLAIM_DUE_MESSAGES, { now: now(), limit });
}

/**
 * Sends a due message as a send of now, or refuses it. Its row, the message with its job, and the event are one
 * transaction, so it is sent once. A failure that is not the message's is tried again.
 */
export async function sendDueMessage(due: DueMessage): Promise<void> {
  const ctx = toContext(due);
  // A message that ends its process is not tried forever.
  if (due.attempts > MAX_ATTEMPTS) return refuse(ctx, due, new ApiError("internal"));
  try {
    await send(ctx, due);
  } catch (error) {
    if (error instanceof ApiError && (await postponeDueMessage(ctx, due, error))) return;
    // A send of now has every other answer at once.
    const isFinal = error instanceof ApiError && error.errorName !== "internal";
    if (!isFinal && due.attempts < MAX_ATTEMPTS) throw error;
    if (!isFinal) log.error({ err: error, messageId: due.id }, "a scheduled message could not be sent");
    await refuse(ctx, due, error instanceof ApiError ? error : new ApiError("internal"));
  }
}

function refuse(ctx: Context, due: DueMessage, reason: ApiError): Promise<void> {
  return transaction(async (tx) => {
    if (await takeDue(tx, ctx, due, "refused")) await refuseMessage(tx, ctx, due, reason);
  });
}

const HAS_SENT = statement(
  "has-sent-to-chat",
  "select 1 from messages where account_id = :accountId and chat_id = :chatId and is_from_me limit 1",
);

// The chat exists since the message was scheduled, and its first message may be this one.
async function checkFirstLinks(ctx: Context, chatId: string, content: MessageContent): Promise<void> {
  if (!containsLink(content)) return;
  const sent = await sql.run(HAS_SENT, { accountId: ctx.account.id, chatId });
  if (sent.length === 0) await rejectFirstLinks(ctx, content);
}

async function send(ctx: Context, due: DueMessage): Promise<void> {
  if (await holdInQuiet(ctx, due)) return;
  const { id: messageId, chat_id: chatId, override_optout: overrideOptout } = due;
  const target = { chatId, messageId };
  if (due.kind === "voice_memo") {
    const body = { ...ScheduledMemo.parse(due.content), override_optout: overrideOptout };
    const prepared = await prepareMemo(ctx, { params: target, body });
    if (prepared.replayOf !== null) return refuse(ctx, due, new ApiError("state_conflict", KEY_IS_USED));
    return acceptDue(ctx, due, async (tx) => {
      const sent = await acceptMemo(tx, ctx, { chatId, prepared, overrideOptout });
      if (sent.replayOf !== null) fail("state_conflict", KEY_IS_USED);
    });
  }
  const content = MessageContent.parse(due.content);
  await checkFirstLinks(ctx, chatId, content);
  const prepared = await prepareMessage(ctx, content, target);
  if (prepared.replayOf !== null) return refuse(ctx, due, new ApiError("state_conflict", KEY_IS_USED));
  return acceptDue(ctx, due, async (tx) => {
    const sent = await acceptContent(ctx, chatId, prepared, overrideOptout, tx);
    if (sent.replayOf !== null) fail("state_conflict", KEY_IS_USED);
    await recordUserChange(tx, ctx, "message.sent", messageId, { chat_id: chatId });
  });
}

const DATE_DUE_MESSAGE = statement(
  "date-due-message",
  "update messages set created_at = :dueAt where account_id = :accountId and id = :messageId",
);

function acceptDue(ctx: Context, due: DueMessage, accept: (tx: Sql) => Promise<unknown>): Promise<void> {
  return transaction(async (tx) => {
    if (!(await takeDue(tx, ctx, due))) return;
    await accept(tx);
    await keepUnread(tx, ctx, { chatId: due.chat_id, messageId: due.id }, { writtenAt: due.updated_at });
    await tx.run(DATE_DUE_MESSAGE, { accountId: due.account_id, messageId: due.id, dueAt: due.due_at });
  });
}

const TAKE_DUE_MESSAGE = statement(
  "take-due-message",
  `delete from scheduled_messages
  where account_id = :accountId and id = :messageId and revision = :revision and due_at <= :now returning 1`,
);

// The dashboard lists what was refused. The message, which is stored as failed, keeps its content and its key.
const KEEP_REFUSED_MESSAGE = statement(
  "keep-refused-message",
  `update scheduled_messages s set due_at = null, content = null, parts = null, idempotency_key = null, lease_until = null,
    refused_at = :now, updated_at = :now, revision = s.revision + 1
  where s.account_id = :accountId and s.id = :messageId and s.revision = :revision and s.due_at <= :now returning 1`,
);

/** Takes a message from those that wait. False when it was sent, changed or canceled meanwhile. */
async function takeDue(
  tx: Sql,
  ctx: Context,
  { id, revision }: DueMessage,
  outcome: "sent" | "refused" = "sent",
): Promise<boolean> {
  const accountId = ctx.account.id;
  const take = outcome === "sent" ? TAKE_DUE_MESSAGE : KEEP_REFUSED_MESSAGE;
  const rows = await tx.run(take, { accountId, messageId: id, revision, now: ctx.now });
  return rows.length > 0;
}

// It is a send of the time for which it was scheduled, however late it is tried: its id begins with that time, by which
// retention, limits and counters find messages.
function toContext(due: DueMessage): Context {
  return {
    account: { id: due.account_id, partnerId: due.partner_id, type: due.account_type },
    actor: toActor(due),
    traceId: due.trace_id,
    now: due.due_at,
  };
}

// Rights were checked when the message was scheduled.
function toActor({ actor_type, actor_id, user_name: name, user_email: email }: DueMessage): Actor {
  if (actor_type === "api" && actor_id !== null) return { type: "api", tokenId: actor_id };
  if (actor_type !== "user" || actor_id === null || name === null || email === null)
    return { type: "system" };
  return { type: "user", userId: actor_id, name, email, role: "support" };
}
