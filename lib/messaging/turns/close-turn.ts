import "server-only";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { findParty, type Party } from "@/lib/messaging/chats/find-party";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import type { MessageEventData } from "@/lib/messaging/messages/message-event-data";
import { messageEventData } from "@/lib/messaging/messages/message-snapshot";
import { TURN_EVENTS, type TurnReason } from "@/lib/messaging/turns/turn-events";
import { MAX_TURN_MESSAGES } from "@/lib/messaging/turns/turn-statement";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** The key of an open turn. */
export type TurnKey = RowOf<"claim-due-turns">;

/** Another transaction holds a lock that was not waited for. */
const LOCKED = "55P03";

type DueTurn = RowOf<"lock-due-turn">;
type TurnMessage = RowOf<"read-turn-messages">;

// An arriving message holds the chat's lock, so it is in the turn before this statement, or begins the next one.
const LOCK_DUE_TURN = statement(
  "lock-due-turn",
  `select o.account_id, o.chat_id, o.handle, o.subscription_id, o.is_recovered, o.line_id, o.message_ids,
    coalesce(o.mention_ids, '{}') as "mention_ids!", o.answered_count, o.started_at, o.closes_at, o.quiet_until,
    o.typing_until, o.due_at,
    s.deleted_at is null and 'chat.turn' = any(s.subscribed_events)
      and (s.phone_numbers = '{}' or exists (
        select 1 from lines l
        where l.account_id = o.account_id and l.id = o.line_id and l.phone_number = any(s.phone_numbers))) as "is_wanted!"
  from chat_turns o
  join chats c on c.account_id = o.account_id and c.id = o.chat_id
  join webhook_subscriptions s on s.account_id = o.account_id and s.id = o.subscription_id
  where o.account_id = :accountId and o.chat_id = :chatId and o.handle = :handle
    and o.subscription_id = :subscriptionId and o.is_recovered = :isRecovered and o.due_at <= :at
  for no key update of c skip locked for update of o skip locked`,
);

/**
 * Closes a turn that is due, in one transaction with its event, or postpones it while one of its files is loading. Messages
 * beyond the turn stay in the next one. Returns false when there was nothing to do: another process closes the turn, it
 * is no longer due, or its chat or one of its messages is being changed.
 */
export async function closeTurn(key: TurnKey): Promise<boolean> {
  try {
    return await transaction((tx) => closeIn(tx, key));
  } catch (error) {
    if (!hasSqlState(error, LOCKED)) throw error;
    return false;
  }
}

async function closeIn(tx: Sql, key: TurnKey): Promise<boolean> {
  const at = now();
  const [turn] = await tx.run(LOCK_DUE_TURN, { ...turnParameters(key), at });
  if (turn === undefined) return false;
  if (!turn.is_wanted) {
    await endTurn(tx, turn, { count: turn.message_ids.length, events: [], at });
    return true;
  }

  const { count, reason } = extentOf(turn);
  const ids = turn.message_ids.slice(0, count);
  // One more than the turn has: the next turn begins with it.
  const messages = await tx.run(READ_TURN_MESSAGES, {
    accountId: turn.account_id,
    messageIds: turn.message_ids.slice(0, count + 1),
  });
  if (reason === "quiet" && turn.due_at < turn.closes_at && messages.some(isLoading)) {
    await tx.run(POSTPONE_TURN, turnParameters(key));
    return true;
  }

  const closing = messages.filter(({ id, is_withdrawn }) => ids.includes(id) && !is_withdrawn);
  const next = messages.find(({ id }) => id === turn.message_ids[count]);
  const eventId = await emitTurn(tx, turn, { ids, closing, reason, at });
  const events = closing.map(({ id }) => ({ messageId: id, eventId }));
  await endTurn(tx, turn, { count, nextStartedAt: next?.created_at, events, at });
  return true;
}

const POSTPONE_TURN = statement(
  "postpone-turn",
  `update chat_turns set due_at = closes_at, lease_until = null
  where account_id = :accountId and chat_id = :chatId and handle = :handle
    and subscription_id = :subscriptionId and is_recovered = :isRecovered`,
);

/** How many messages close now, and why. */
function extentOf({ message_ids, answered_count, due_at, closes_at }: DueTurn) {
  const wanted = answered_count ?? message_ids.length;
  const count = Math.min(wanted, MAX_TURN_MESSAGES);
  return { count, reason: reasonOf() };

  function reasonOf(): TurnReason {
    if (answered_count !== null && wanted <= MAX_TURN_MESSAGES) return "answered";
    if (count === MAX_TURN_MESSAGES) return "max_size";
    return due_at >= closes_at ? "max_wait" : "quiet";
  }
}

// A deletion of a message waits for this lock, and then finds the turn's event. The lock waits for nothing, because the
// chat's lock would be held meanwhile.
const READ_TURN_MESSAGES = statement(
  "read-turn-messages",
  `select m.id, m.parts as "parts: StoredPart[]", m.effect as "effect: StoredEffect",
    m.reply_to as "reply_to: StoredReply", m.service, m.trace_id, m.created_at, m.updated_at, m.sent_at,
    m.reconciled_at, m.deleted_at is not null or m.unsent_at is not null as "is_withdrawn!",
    c.is_group, c.health_status, c.health_updated_at, c.line_type
  from messages m join chats c on c.account_id = m.account_id and c.id = m.chat_id
  where m.account_id = :accountId and m.id = any(:messageIds::uuid[])
  order by array_position(:messageIds::uuid[], m.id) for share of m nowait`,
);

function isLoading({ parts, is_withdrawn }: TurnMessage): boolean {
  return !is_withdrawn && parts.some((part) => statusOf(part) === "pending");
}

function statusOf(part: StoredPart): string | undefined {
  if (part.type === "media") return part.status;
  return part.type === "imessage_app" ? part.image?.status : undefined;
}

interface Closing {
  ids: readonly string[];
  closing: readonly TurnMessage[];
  reason: TurnReason;
  at: Date;
}

/** Emits the event of a turn, unless all its messages were withdrawn. Returns the event's id. */
async function emitTurn(tx: Sql, turn: DueTurn, { ids, closing, reason, at }: Closing): Promise<string> {
  const { account_id: accountId, chat_id: chatId } = turn;
  const id = newId(at.getTime(), accountId, "chat.turn", turn.subscription_id + (ids[0] ?? ""));
  const traceId = closing.at(-1)?.trace_id;
  if (traceId === undefined) return id;

  const party = await findParty(tx, { accountId, chatId });
  const from = party.byHandle.get(turn.handle);
  if (from === undefined) throw new Error("a turn without its sender");
  const kept = new Set(closing.map((message) => message.id));
  const event = newEvent(
    TURN_EVENTS["chat.turn"],
    { accountId, id, lineId: turn.line_id, chatId, messageId: null, traceId, at },
    {
      id,
      subscription_id: turn.subscription_id,
      chat_id: chatId,
      from_handle: from,
      messages: closing.map((message) => toEventData(message, { chatId, party, from })),
      mentions_me: closing.some((message) => turn.mention_ids.includes(message.id)),
      started_at: (closing[0]?.created_at ?? turn.started_at).toISOString(),
      closed_at: at.toISOString(),
      reason,
      withdrawn: ids.filter((messageId) => !kept.has(messageId)),
    },
  );
  await emitEvents(tx, [event]);
  return id;
}

interface Surroundings {
  chatId: string;
  party: Party;
  from: Party["me"];
}

function toEventData(message: TurnMessage, { chatId, party, from }: Surroundings): MessageEventData {
  return messageEventData(
    {
      ...message,
      chat_id: chatId,
      is_from_me: false,
      idempotency_key: null,
      preferred_service: null,
      delivered_at: null,
      read_at: null,
      owner_handle: party.me,
      sender_handle: from,
    },
    message.updated_at,
  );
}

const END_TURN = statement(
  "end-turn",
  `with ended as (
    delete from chat_turns
    where account_id = :accountId and chat_id = :chatId and handle = :handle and subscription_id = :subscriptionId
      and is_recovered = :isRecovered and cardinality(:restIds::uuid[]) = 0
  ), continued as (
    update chat_turns set message_ids = :restIds::uuid[], answered_count = :answeredCount::int, lease_until = null,
      started_at = :startedAt::timestamptz, closes_at = :closesAt::timestamptz, due_at = :dueAt::timestamptz
    where account_id = :accountId and chat_id = :chatId and handle = :handle and subscription_id = :subscriptionId
      and is_recovered = :isRecovered and cardinality(:restIds::uuid[]) > 0
  )
  insert into chat_turn_messages (account_id, message_id, event_id, created_at)
  select :accountId, m.message_id, m.event_id, :at
  from unnest(:messageIds::uuid[], :eventIds::uuid[]) as m(message_id, event_id)`,
);

interface TurnEnd {
  /** So many messages, the first ones, are in no next turn. */
  count: number;
  /** When the first message of the next turn was received. */
  nextStartedAt?: Date | undefined;
  events: readonly { messageId: string; eventId: string }[];
  at: Date;
}

async function endTurn(tx: Sql, turn: DueTurn, { count, nextStartedAt, events, at }: TurnEnd): Promise<void> {
  const restIds = turn.message_ids.slice(count);
  const startedAt = nextStartedAt ?? turn.started_at;
  const closesAt = new Date(startedAt.getTime() + turn.closes_at.getTime() - turn.started_at.getTime());
  const answered = turn.answered_count === null ? 0 : turn.answered_count - count;
  const isDue = answered > 0 || restIds.length >= MAX_TURN_MESSAGES;
  const quietUntil = Math.max(turn.quiet_until.getTime(), turn.typing_until?.getTime() ?? 0);
  const dueAt = isDue ? at : new Date(Math.min(closesAt.getTime(), quietUntil));
  await tx.run(END_TURN, {
    ...turnParameters(turn),
    restIds,
    answeredCount: answered > 0 ? answered : null,
    startedAt,
    closesAt,
    dueAt,
    messageIds: events.map(({ messageId }) => messageId),
    eventIds: events.map(({ eventId }) => eventId),
    at,
  });
}

/** A turn's key as parameters of a statement. */
export function turnParameters(key: TurnKey) {
  return {
    accountId: key.account_id,
    chatId: key.chat_id,
    handle: key.handle,
    subscriptionId: key.subscription_id,
    isRecovered: key.is_recovered,
  };
}
