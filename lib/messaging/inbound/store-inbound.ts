import "server-only";
import { emitEvents, type NewEvent, newEvent } from "@/lib/events/store/emit-event";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import type { ContactCard } from "@/lib/messaging/content/read-contact-card";
import { emitParticipantAdded } from "@/lib/messaging/groups/change-members";
import type { Arrival } from "@/lib/messaging/inbound/find-inbound-chat";
import { cardReceived } from "@/lib/messaging/inbound/received-card-events";
import { countedExchangesSql, loopHeldUntilSql } from "@/lib/messaging/loops/counted-exchanges-sql";
import type { MessageEventData } from "@/lib/messaging/messages/message-event-data";
import { MESSAGE_EVENTS } from "@/lib/messaging/messages/message-events";
import { messageEventData } from "@/lib/messaging/messages/message-snapshot";
import { replyThreadSql } from "@/lib/messaging/messages/reply-thread-sql";
import { receivePoll } from "@/lib/messaging/polls/receive-poll";
import { openTurnsCte } from "@/lib/messaging/turns/turn-statement";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { type ParticipantRow, toChatHandle } from "@/lib/recipients/handles/chat-handle";
import { nameFromCard } from "@/lib/recipients/handles/name-from-card";

/** The content of an inbound message, for storage. */
export interface ReceivedContent {
  chatId: string;
  /** Polls are recognized by their part. */
  kind: "content" | "voice_memo";
  parts: StoredPart[];
  /** The contact cards among the parts. */
  contactCards: readonly ContactCard[];
}

const INSERT_INBOUND = statement(
  "insert-inbound",
  `with stored as (
    insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, service,
      delivery_status, trace_id, created_at, updated_at, sent_at, effect, reply_to, reconciled_at, kind,
      thread_id)
    values (:accountId, :messageId, :chatId, :lineId, :fromId, false, :parts, :service::text::service_type, 'received', :traceId, :createdAt, :createdAt, :inboundAt, :effect, :replyTo, :reconciledAt,
      :kind::text::message_kind, ${replyThreadSql(":accountId", ":replyTo::jsonb")})
  ), counted as (
    insert into account_days as d (account_id, day, messages)
    select id, (:createdAt::timestamptz at time zone 'UTC')::date, 1 from accounts
    where id = :accountId and daily_messages is not null
    on conflict (account_id, day) do update set messages = d.messages + 1
  ), moved as (
    update chats c set last_activity_at = greatest(last_activity_at, :createdAt), updated_at = greatest(updated_at, :createdAt),
      exchange_count = ${countedExchangesSql("c", ":createdAt::timestamptz")},
      loop_held_until = ${loopHeldUntilSql("c", ":createdAt::timestamptz")},
    service = :service::text::service_type, unanswered = '{}', health_due_at = null, is_unread = true,
    inbox_state = 'open', snoozed_until = null, needs_reply = true,
    health_updated_at = case when health_status in ('AT_RISK', 'CRITICAL') then :createdAt else health_updated_at end,
    health_status = case when health_status = 'OPTED_OUT' then health_status else 'HEALTHY' end
    from (
      select cardinality(unanswered) > 0 as ends_exchange from chats
      where account_id = :accountId and id = :chatId for no key update
    ) before
    where account_id = :accountId and id = :chatId
    returning is_group, health_status, health_updated_at,
      case when loop_held_at is null and ends_exchange then exchange_count end as exchange_count
  ), written as (
    select :accountId::uuid as account_id, :chatId::uuid as chat_id, :lineId::uuid as line_id, :messageId::uuid as id,
      :from::text as handle, :parts::jsonb as parts, is_group, :reconciledAt::timestamptz is not null as is_recovered,
      :hasFile::boolean as has_file, :createdAt::timestamptz as at
    from moved where :opensTurn::boolean
  ), ${openTurnsCte("turned", "written")}
  select is_group, health_status, health_updated_at, exchange_count, exists (select from turned) as "has_turns!" from moved`,
);

/**
 * Stores an inbound message in its chat with status `received`, and its events: message.received, or poll.received for
 * a poll, and contact_card.received. A message that is no poll belongs to its sender's turn. A snoozed or closed chat is open again.
 * Returns the chat's exchanges in a row, of which the message ends one; null = it ends none, or the chat is on hold for a loop.
 */
export async function storeInbound(
  tx: Sql,
  arrival: Arrival,
  { chatId, kind, parts, contactCards }: ReceivedContent,
): Promise<{ exchangeCount: number | null }> {
  const { line, inbound, messageId, traceId, at } = arrival;
  const sender = await ensureParticipants(tx, arrival, chatId);
  const replyTo = await findRepliedTo(tx, arrival, chatId);
  const effect = inbound.effect ?? null;
  const [chat] = await tx.run(INSERT_INBOUND, {
    accountId: line.accountId,
    messageId,
    chatId,
    lineId: line.id,
    fromId: sender.from.id,
    parts: JSON.stringify(parts),
    service: inbound.service,
    traceId,
    createdAt: at,
    inboundAt: inbound.at,
    effect: effect === null ? null : JSON.stringify(effect),
    replyTo: replyTo === null ? null : JSON.stringify(replyTo),
    reconciledAt: inbound.isLive === false ? at : null,
    kind,
    from: inbound.from,
    hasFile: parts.some(({ type }) => type === "media"),
    opensTurn: !inbound.parts.some(({ type }) => type === "poll"),
  });
  if (chat === undefined) throw new Error("a chat vanished while a message was stored");

  const emitted = await toEvent(tx, arrival, { chatId, chat, parts, effect, replyTo, ...sender });
  const about = { accountId: line.accountId, lineId: line.id, chatId, messageId, traceId, at };
  const cards = contactCards.map((card) =>
    cardReceived(about, { owner: line.phoneNumber, sender: inbound.from, parts, card }),
  );
  await emitEvents(tx, [emitted, ...cards]);
  if (chat.has_turns) tx.wake("turns");
  for (const card of contactCards) await nameFromCard(tx, { ...about, handle: inbound.from }, card);
  return { exchangeCount: chat.exchange_count };
}

/** Builds the event of an inbound message. A poll is stored and has its own event. */
async function toEvent(tx: Sql, arrival: Arrival, stored: StoredIn): Promise<NewEvent> {
  const { line, inbound, messageId, traceId, at } = arrival;
  const about = { accountId: line.accountId, lineId: line.id, chatId: stored.chatId, messageId, traceId, at };
  const poll = inbound.parts.find((part) => part.type === "poll");
  if (poll === undefined) {
    return newEvent(MESSAGE_EVENTS["message.received"], about, toEventData(arrival, stored));
  }
  const me = toChatHandle(stored.me, line.lineType);
  const from = toChatHandle(stored.from, line.lineType);
  const where = { ...about, me, from, isGroup: stored.chat.is_group, service: inbound.service };
  return receivePoll(tx, where, poll.options);
}

const FIND_REPLIED_TO = statement(
  "find-replied-to",
  `select m.id from transport_refs r join messages m on m.account_id = r.account_id and m.id = r.message_id
  where r.account_id = :accountId and r.line_id = :lineId and r.ref = :ref and m.chat_id = :chatId and m.deleted_at is null`,
);

// A reply to an unknown message, or to one in another chat, is stored as a normal message.
async function findRepliedTo(tx: Sql, { line, inbound }: Arrival, chatId: string) {
  if (inbound.replyTo == null) return null;
  const [row] = await tx.run(FIND_REPLIED_TO, {
    accountId: line.accountId,
    lineId: line.id,
    ref: inbound.replyTo.ref,
    chatId,
  });
  return row === undefined ? null : { message_id: row.id, part_index: inbound.replyTo.part };
}

type ChatRow = RowOf<"insert-inbound">;

const PARTY = "id, handle, is_me, service, status, joined_at, left_at";

type PartyRow = RowOf<"ensure-participant">;

/**
 * Locks the chat before its participants, and returns the line's participant and the sender's. A sender who is not yet
 * known as a member of a group is added with participant.added, because writing to a group proves membership.
 */
async function ensureParticipants(tx: Sql, arrival: Arrival, chatId: string) {
  let rows = await lockParty(tx, arrival, chatId);
  // A participant added while the first statement waited for the lock is visible only to a new statement.
  if (rows.length < 2) rows = await lockParty(tx, arrival, chatId);
  const me = rows.find((row) => row.is_me);
  const from = rows.find((row) => !row.is_me);
  if (me === undefined || from === undefined)
    throw new Error("a chat without our line, or without the sender");

  const { line, traceId, at } = arrival;
  const party = { me: toParticipant(me), from: toParticipant(from) };
  if (from.is_new) {
    const chat = { accountId: line.accountId, lineId: line.id, chatId, traceId, at };
    await emitParticipantAdded(tx, chat, toChatHandle(party.from, line.lineType));
  }
  return party;
}

const ENSURE_PARTICIPANT = statement(
  "ensure-participant",
  `with chat as materialized (
    select id from chats where account_id = :accountId and id = :chatId for no key update
  ), joined as (
    insert into participants (account_id, chat_id, id, handle, is_me, service, joined_at)
    select :accountId, chat.id, :id, :from, false, :service::text::service_type, :at from chat
    where not exists (select 1 from participants where account_id = :accountId and chat_id = :chatId and handle = :from)
    on conflict do nothing returning *
  ), switched as (
    update participants p set service = :service::text::service_type from chat
    where p.account_id = :accountId and p.chat_id = chat.id and p.handle in (:from, :phoneNumber)
      and p.service <> :service::text::service_type
    returning p.*
  )
  select ${PARTY}, true as is_new from joined union all
  select ${PARTY}, false from switched union all
  select ${PARTY}, false from participants
  where account_id = :accountId and chat_id = :chatId and handle in (:from, :phoneNumber) and service = :service::text::service_type`,
);

function lockParty(tx: Sql, { line, inbound, at }: Arrival, chatId: string): Promise<PartyRow[]> {
  return tx.run(ENSURE_PARTICIPANT, {
    accountId: line.accountId,
    chatId,
    id: newId(at.getTime(), line.accountId, chatId, inbound.from),
    from: inbound.from,
    phoneNumber: line.phoneNumber,
    service: inbound.service,
    at,
  });
}

function toParticipant(row: PartyRow): ParticipantRow {
  return { ...row, isMe: row.is_me, joinedAt: row.joined_at, leftAt: row.left_at };
}

interface StoredIn {
  chatId: string;
  chat: ChatRow;
  parts: StoredPart[];
  effect: MessageEventData["message"]["effect"];
  replyTo: MessageEventData["message"]["reply_to"];
  me: ParticipantRow;
  from: ParticipantRow;
}

function toEventData({ line, inbound, messageId, at }: Arrival, stored: StoredIn): MessageEventData {
  const message = {
    ...stored.chat,
    id: messageId,
    chat_id: stored.chatId,
    is_from_me: false,
    parts: stored.parts,
    effect: stored.effect,
    reply_to: stored.replyTo,
    idempotency_key: null,
    preferred_service: null,
    service: inbound.service,
    created_at: at,
    sent_at: inbound.at,
    delivered_at: null,
    read_at: null,
    reconciled_at: inbound.isLive === false ? at : null,
    owner_handle: toChatHandle(stored.me, line.lineType),
    sender_handle: toChatHandle(stored.from, line.lineType),
  };
  return messageEventData(message, at);
}
