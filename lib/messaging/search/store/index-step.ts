import "server-only";
import { INDEXED_EVENTS } from "@/lib/messaging/search/store/indexed-events";
import { removeMessages } from "@/lib/messaging/search/store/remove-messages";
import {
  lockSearchProgress,
  type SearchProgress,
  storeSearchProgress,
} from "@/lib/messaging/search/store/search-progress";
import { readSegments, storeSegments } from "@/lib/messaging/search/store/search-segments";
import { Segments } from "@/lib/messaging/search/store/segments";
import { messageVector } from "@/lib/messaging/search/words/message-terms";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";

/** Classes of PostgreSQL's errors about a value: a term or a tsvector that is too long, or a text that it can't store. */
const DATA_EXCEPTION = "22";
const LIMIT_EXCEEDED = "54";

/** Events or messages of one transaction: some hundred milliseconds, in which an erasure of the account waits. */
const BATCH = 1000;
/** Messages of one statement: each may have a text of a megabyte. */
const READ = 50;
/** After a message that can't be added, a step has this part of the messages, down to one. */
const FEWER = 10;
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** With how many messages a step goes on. */
interface Pace {
  limit: number;
  /** Why these messages can't be added; null = they are added. */
  refusal: Error | null;
}

/**
 * Adds the next messages of an account: those with events after its progress, or else earlier ones. `last`: the number
 * up to which all events are final. A message that can't be added is left out with a line in the log, and holds up no
 * other. Locks the account's progress, for which an erasure waits (remove-from-search.ts).
 */
export async function indexStep(accountId: string, last: number): Promise<void> {
  for (let limit = BATCH; ; limit = Math.ceil(limit / FEWER)) {
    try {
      return await takeStep(accountId, last, { limit, refusal: null });
    } catch (error) {
      if (!isOfMessage(error)) throw error;
      if (limit > 1) continue;
      return takeStep(accountId, last, { limit, refusal: error });
    }
  }
}

/** The terms of a message could not be made. */
class UnreadableMessage extends Error {}

/** Whether an error follows from the content of a message, so that the same step would fail again. */
function isOfMessage(error: unknown): error is Error {
  return (
    error instanceof UnreadableMessage ||
    hasSqlState(error, DATA_EXCEPTION) ||
    hasSqlState(error, LIMIT_EXCEEDED)
  );
}

async function takeStep(accountId: string, last: number, pace: Pace): Promise<void> {
  await transaction(async (tx) => {
    const progress = await lockSearchProgress(tx, accountId);
    if (!progress.is_on) return removeNext(tx, accountId, progress);
    if (progress.events_to === null)
      return storeSearchProgress(tx, accountId, { eventsTo: last, messagesFrom: LAST_ID });
    const found = await addFromEvents(tx, accountId, progress, { ...pace, last });
    if (!found && progress.messages_from !== null) await addEarlier(tx, accountId, progress, pace);
  });
}

const NEXT_INDEXED_EVENTS = statement(
  "next-indexed-events",
  `select seq, message_id from events
  where account_id = :accountId and seq > :after and seq <= :last and type = any(:types) and message_id is not null
  order by seq limit ${BATCH}`,
);

/** Returns false when no event was left, so that earlier messages come next. */
async function addFromEvents(
  tx: Sql,
  accountId: string,
  progress: SearchProgress,
  { last, ...pace }: Pace & { last: number },
): Promise<boolean> {
  const after = Number(progress.events_to);
  const found = await tx.run(NEXT_INDEXED_EVENTS, { accountId, after, last, types: INDEXED_EVENTS });
  if (found.length === 0) return false;
  const events = found.slice(0, pace.limit);
  await addMessages(tx, accountId, [...new Set(events.flatMap(({ message_id }) => message_id ?? []))], pace);
  const eventsTo =
    events.length < BATCH && events.length === found.length ? last : Number(events.at(-1)?.seq);
  await storeSearchProgress(tx, accountId, { eventsTo, messagesFrom: progress.messages_from });
  return true;
}

async function addEarlier(
  tx: Sql,
  accountId: string,
  { events_to, messages_from: before }: SearchProgress,
  pace: Pace,
): Promise<void> {
  if (before === null) return;
  const found = await tx.run(EARLIER_MESSAGES_TO_INDEX, { accountId, before });
  const rows = found.slice(0, pace.limit);
  const ids = rows.map(({ id }) => id);
  await addMessages(tx, accountId, ids, pace);
  const isEnd = rows.length < BATCH && rows.length === found.length;
  await storeSearchProgress(tx, accountId, {
    eventsTo: Number(events_to),
    messagesFrom: isEnd ? null : (ids.at(-1) ?? null),
  });
}

const MESSAGES_TO_INDEX = statement(
  "messages-to-index",
  `select m.id, m.position, m.chat_id, m.line_id, m.parts as "parts: StoredPart[]", m.created_at,
    m.deleted_at is not null as is_deleted,
    array(select o.text from poll_options o where o.account_id = m.account_id and o.message_id = m.id order by o.id)
      as "options!"
  from messages m where m.account_id = :accountId and m.id = any(:ids::uuid[])`,
);

const EARLIER_MESSAGES_TO_INDEX = statement(
  "earlier-messages-to-index",
  `select id from messages where account_id = :accountId and id < :before order by id desc limit ${BATCH}`,
);

const ADD_TO_SEARCH = statement(
  "add-to-search",
  `insert into message_search (account_id, message_id, position, terms)
  select :accountId, * from unnest(:ids::uuid[], :positions::bigint[], :terms::text[]::tsvector[])
  on conflict (account_id, message_id) do update set terms = excluded.terms`,
);

/** Adds messages. Of those that can't be added, removes the words of an earlier version. */
async function addMessages(
  tx: Sql,
  accountId: string,
  ids: readonly string[],
  { refusal }: Pace,
): Promise<void> {
  if (refusal !== null) {
    log.error({ err: refusal, account: accountId, messages: ids }, "a message is left out of the search");
    return removeMessages(tx, accountId, ids);
  }
  const segments = new Segments(await readSegments(tx, accountId));
  for (let from = 0; from < ids.length; from += READ) {
    const found = await tx.run(MESSAGES_TO_INDEX, { accountId, ids: ids.slice(from, from + READ) });
    await addRows(
      tx,
      accountId,
      segments,
      found.filter(({ is_deleted }) => !is_deleted),
    );
  }
  if (segments.changed.length > 0) await storeSegments(tx, accountId, segments.changed);
}

async function addRows(
  tx: Sql,
  accountId: string,
  segments: Segments,
  rows: readonly RowOf<"messages-to-index">[],
): Promise<void> {
  if (rows.length === 0) return;
  const terms = rows.map((row) => {
    const key = segments.place({ position: BigInt(row.position), createdAt: row.created_at });
    return vectorOf(row, key);
  });
  await tx.run(ADD_TO_SEARCH, {
    accountId,
    ids: rows.map(({ id }) => id),
    positions: rows.map(({ position }) => position),
    terms,
  });
}

function vectorOf(row: RowOf<"messages-to-index">, key: string): string {
  try {
    return messageVector(row, { chatId: row.chat_id, lineId: row.line_id }, key);
  } catch (error) {
    throw new UnreadableMessage(`the terms of the message ${row.id} could not be made`, { cause: error });
  }
}

const REMOVE_FROM_SEARCH = statement(
  "remove-from-search",
  `delete from message_search where account_id = :accountId and message_id = any(array(
    select message_id from message_search where account_id = :accountId limit ${BATCH}))
  returning 1 as one`,
);

const REMOVE_SEARCH_SEGMENTS = statement(
  "remove-search-segments",
  "delete from message_search_segments where account_id = :accountId",
);

/**
 * Removes the next messages of an account whose search is off. Switched on again, the search begins anew, also before the
 * last message is removed.
 */
async function removeNext(tx: Sql, accountId: string, progress: SearchProgress): Promise<void> {
  const removed = await tx.run(REMOVE_FROM_SEARCH, { accountId });
  if (removed.length === BATCH) {
    const eventsTo = progress.events_to === null ? null : Number(progress.events_to);
    return storeSearchProgress(tx, accountId, { eventsTo, messagesFrom: LAST_ID });
  }
  await tx.run(REMOVE_SEARCH_SEGMENTS, { accountId });
  await storeSearchProgress(tx, accountId, { eventsTo: null, messagesFrom: null });
}
