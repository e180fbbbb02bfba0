import "server-only";
import { actorId, recordUserChange } from "@/lib/identity/audit/record-audit";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { findParticipants } from "@/lib/messaging/chats/find-participants";
import { toResponsePart } from "@/lib/messaging/content/message-part";
import type { Message, SentMessage } from "@/lib/messaging/messages/message";
import { pinFiles } from "@/lib/messaging/scheduled/pin-files";
import { confirmDue, type Due, type QuietChoice } from "@/lib/messaging/scheduled/quiet-time";
import { keepFiles } from "@/lib/messaging/scheduled/scheduled-files";
import {
  detailsOf,
  SCHEDULED_COLUMNS,
  type ScheduledRow,
  storedPartsOf,
} from "@/lib/messaging/scheduled/scheduled-message";
import type { PreparedContent, RepeatedContent } from "@/lib/messaging/sending/prepare-message";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { idOfLater } from "@/lib/platform/ids";
import type { MessageKind } from "@/lib/platform/prisma/enums";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** The id of a message for a later time. Ids begin with their time, by which limits count sends. */
export function scheduledId(ctx: Context, dueAt: Date): string {
  return idOfLater(dueAt.getTime(), ctx.account.id, "scheduled_message");
}

/** How many messages can wait in a chat. */
const MAX_WAITING = 100;

/** A prepared message to be stored until it is due. */
interface NewScheduled extends Due {
  chatId: string;
  prepared: PreparedContent;
  kind?: MessageKind;
  /** What the message is made of when it is due, where this is not its content. */
  source?: Readonly<Record<string, unknown>>;
  overrideOptout: boolean;
  /** What happens to it in quiet hours. */
  choice?: QuietChoice;
  dueAt: Date;
}

const STORE_SCHEDULED = statement(
  "store-scheduled-message",
  `insert into scheduled_messages (account_id, id, chat_id, kind, content, parts, override_optout, quiet_choice, asked_at, idempotency_key,
    actor_type, actor_id, trace_id, due_at, created_at, updated_at)
  select :accountId, :id, c.id, :kind::text::message_kind, :content::jsonb, :parts::jsonb, :overrideOptout, :quietChoice, :askedAt, :idempotencyKey,
    :actorType, :actorId::uuid, :traceId, :dueAt, :now, :now
  from chats c where c.account_id = :accountId and c.id = :chatId and not exists (
    select from messages m where m.account_id = :accountId and m.idempotency_key = :idempotencyKey)
    and (select count(*) from (
      select from scheduled_messages w where w.account_id = :accountId and w.chat_id = c.id and w.due_at is not null
      limit ${MAX_WAITING}) waiting) < ${MAX_WAITING}
  on conflict (account_id, idempotency_key) where idempotency_key is not null do nothing returning 1`,
);

/**
 * Stores a prepared message until it is due. It is checked then, as a send of that time; now only its content and its chat
 * are. Returns the id of the message that has its idempotency key, if there is one. Errors: chat_not_found, access_denied,
 * chat_unavailable.
 */
export async function scheduleMessage(
  tx: Sql,
  ctx: Context,
  scheduled: NewScheduled,
): Promise<{ replayOf: null; message: SentMessage } | RepeatedContent> {
  const { chatId, prepared, kind = "content", overrideOptout, choice, hold } = scheduled;
  const sender = await findSender(tx, ctx, chatId);
  if (sender.status !== "active") fail("chat_unavailable");
  const { messageId: id, parts } = prepared;
  const key = prepared.content.idempotency_key ?? null;
  const content = scheduled.source ?? pinFiles(prepared.content, parts);
  const { dueAt, askedAt } = await confirmDue(tx, ctx, scheduled);
  const rows = await tx.run(STORE_SCHEDULED, {
    accountId: ctx.account.id,
    id,
    chatId,
    kind,
    content: JSON.stringify(content),
    parts: JSON.stringify(parts),
    overrideOptout,
    // What is accepted as held stays held when the account refuses such sends from then on.
    quietChoice: choice ?? (hold === null ? null : "hold"),
    askedAt,
    idempotencyKey: key,
    actorType: ctx.actor.type,
    actorId: actorId(ctx.actor),
    traceId: ctx.traceId,
    dueAt,
    now: ctx.now,
  });
  if (rows.length === 0) {
    const earlier = await findEarlierByKey(ctx, key, tx);
    if (earlier !== null) return { replayOf: earlier };
    fail("state_conflict", `${MAX_WAITING} messages wait in this chat already`);
  }
  await keepFiles(tx, { accountId: ctx.account.id, messageIds: [id], dueAt });
  if (dueAt <= ctx.now) tx.wake("scheduled");
  const sendAt = dueAt.toISOString();
  await recordUserChange(tx, ctx, "message.scheduled", id, { chat_id: chatId, send_at: sendAt });
  const row = { id, content, parts, created_at: ctx.now, due_at: dueAt };
  return { replayOf: null, message: toAnswer(row, sender) };
}

async function findSender(tx: Sql, ctx: Context, chatId: string): Promise<ChatHandle> {
  const handles = await findParticipants(ctx.account.id, chatId, tx);
  if (handles.size === 0) return throwNotFoundOrDenied(chatId);
  const sender = [...handles.values()].find(({ is_me }) => is_me);
  return sender ?? fail("chat_unavailable");
}

const FIND_EARLIER_BY_KEY = statement(
  "find-earlier-by-key",
  `select id from (
    select id, true as is_sent from messages where account_id = :accountId and idempotency_key = :idempotencyKey
    union all
    select id, false from scheduled_messages where account_id = :accountId and idempotency_key = :idempotencyKey) found
  order by is_sent desc limit 1`,
);

/** The id of the message that was scheduled, canceled or sent with an idempotency key; null when there is none. */
export async function findEarlierByKey(
  ctx: Context,
  key: string | null | undefined,
  on: Sql = sql,
): Promise<string | null> {
  if (key === null || key === undefined) return null;
  const [row] = await on.run(FIND_EARLIER_BY_KEY, { accountId: ctx.account.id, idempotencyKey: key });
  return row?.id ?? null;
}

const FIND_SCHEDULED_MESSAGE = statement(
  "find-scheduled-message",
  `select ${SCHEDULED_COLUMNS} from scheduled_messages s
  where s.account_id = :accountId and s.id = :messageId and s.due_at is not null`,
);

/** Finds a message that waits for its time; null when there is none. */
export async function findScheduled(
  ctx: Context,
  messageId: string,
  on: Sql = sql,
): Promise<ScheduledRow | null> {
  const [row] = await on.run(FIND_SCHEDULED_MESSAGE, { accountId: ctx.account.id, messageId });
  return row ?? null;
}

/** The response to a send that repeats the key of a message that waits for its time; null when there is none. */
export async function findScheduledAnswer(
  ctx: Context,
  messageId: string,
): Promise<{ chatId: string; message: SentMessage } | null> {
  const row = await findScheduled(ctx, messageId);
  if (row === null) return null;
  return { chatId: row.chat_id, message: toAnswer(row, await findSender(sql, ctx, row.chat_id)) };
}

/** A message that waits for its time, in the format of a message of its chat; null when there is none. */
export async function findScheduledAsMessage(ctx: Context, messageId: string): Promise<Message | null> {
  const found = await findScheduledAnswer(ctx, messageId);
  if (found === null) return null;
  const { chatId, message } = found;
  return {
    ...message,
    chat_id: chatId,
    updated_at: message.created_at,
    is_from_me: true,
    is_delivered: false,
    read_at: null,
    from: message.from_handle?.handle ?? null,
  };
}

type Answered = Pick<ScheduledRow, "id" | "content" | "parts" | "created_at" | "due_at">;

function toAnswer(row: Answered, sender: ChatHandle): SentMessage {
  const { effect, preferred_service, reply_to } = detailsOf(row);
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    delivery_status: "pending",
    is_read: false,
    parts: storedPartsOf(row).map(toResponsePart),
    sent_at: null,
    delivered_at: null,
    effect: effect ?? null,
    from_handle: sender,
    preferred_service: preferred_service ?? null,
    reply_to: reply_to ?? null,
    service: null,
    send_at: row.due_at.toISOString(),
  };
}
