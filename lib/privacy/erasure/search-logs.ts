import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { firstIdAt } from "@/lib/platform/ids";
import { findSubjects } from "@/lib/privacy/erasure/end-payments";
import {
  type Erasure,
  findClosedChats,
  NO_ID,
  positionOf,
  replacedHandle,
  type Step,
  type StepResult,
} from "@/lib/privacy/erasure/erasure";
import { isCausedBy, likePatterns, replaceInJson } from "@/lib/privacy/erasure/replace-handle";
import { closeRequestLog } from "@/lib/request-log/store/request-log-lock";

const BATCH_ROWS = 1000;
/** The log of requests is written a little later than the requests happen. */
const LOG_DELAY_MS = 60_000;

/** The type of an event whose content was erased. Internal: such an event is listed and delivered nowhere. */
const ERASED_EVENT = "event.erased";

/** An event about a person. */
export interface FoundEvent {
  seq: string;
  data: unknown;
}

const SEARCH_EVENTS_TO_ERASE = plannedStatement(
  "search-events-to-erase",
  `with seen as materialized (
    select seq, data, chat_id = any(:direct::uuid[]) or data ->> 'id' = any(:subjects::text[])
        or data ->> 'payment_id' = any(:subjects::text[]) or data ->> 'payment_request_id' = any(:subjects::text[]) as is_own
    from events where account_id = :accountId and seq > :cursor and seq <= :upToSeq order by seq limit ${BATCH_ROWS}
  )
  select (select count(*)::int from seen) as seen, (select max(seq)::text from seen) as last,
    (select coalesce(array_agg(seq::text), '{}') from seen where is_own) as own,
    (select coalesce(jsonb_agg(jsonb_build_object('seq', seq::text, 'data', data)), '[]') from seen
     where is_own is not true and lower(data::text) like any(:likePatterns::text[])) as "found: FoundEvent[]"`,
);

/**
 * Erases the events of the person from before the chats were closed: all of the direct chats and of the person's
 * payments, and those that the person caused in groups. In other events the handle is replaced.
 */
export const searchEvents: Step = {
  name: "search-events",
  async run(tx, erasure) {
    const { direct } = await findClosedChats(tx, erasure);
    const subjects = await findSubjects(tx, erasure);
    const [part] = await tx.run(SEARCH_EVENTS_TO_ERASE, {
      accountId: erasure.accountId,
      cursor: positionOf(erasure, "-1"),
      upToSeq: erasure.upToSeq,
      direct,
      subjects,
      likePatterns: likePatterns(erasure.handle),
    });
    const { seen = 0, last = null, own = [], found = [] } = part ?? {};
    const caused = found.filter(({ data }) => isCausedBy(data, erasure.handle));
    const mentioning = found.filter((event) => !caused.includes(event));
    const erased = await eraseEvents(tx, erasure, [...own, ...caused.map(({ seq }) => seq)]);
    await replaceInEvents(tx, erasure, mentioning);
    return {
      counts: { ...erased, events: (erased.events ?? 0) + mentioning.length },
      cursor: seen < BATCH_ROWS ? null : last,
    };
  },
};

const ERASE_EVENTS = plannedStatement(
  "erase-events",
  `update events set type = '${ERASED_EVENT}', internal = true, chat_id = null, message_id = null, data = '{}'
  where account_id = :accountId and seq = any(:seqs::bigint[]) and type <> '${ERASED_EVENT}' returning 1`,
);

const DELETE_DELIVERIES_OF_EVENTS = plannedStatement(
  "delete-deliveries-of-events",
  "delete from webhook_deliveries where account_id = :accountId and event_seq = any(:seqs::bigint[]) returning 1",
);

// The number stays. Deliveries are deleted with their attempts, which quote the event's content.
async function eraseEvents(
  tx: Sql,
  { accountId }: Erasure,
  seqs: readonly string[],
): Promise<Record<string, number>> {
  const events = await tx.run(ERASE_EVENTS, { accountId, seqs });
  const deliveries = await tx.run(DELETE_DELIVERIES_OF_EVENTS, { accountId, seqs });
  return { events: events.length, webhook_deliveries: deliveries.length };
}

const REPLACE_IN_EVENTS = plannedStatement(
  "replace-in-events",
  `update events e set data = r.data from unnest(:seqs::bigint[], :replaceInJsons::jsonb[]) as r(seq, data)
  where e.account_id = :accountId and e.seq = r.seq`,
);

async function replaceInEvents(tx: Sql, erasure: Erasure, events: readonly FoundEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.run(REPLACE_IN_EVENTS, {
    accountId: erasure.accountId,
    seqs: events.map(({ seq }) => seq),
    replaceInJsons: events.map(({ data }) => JSON.stringify(replaceInJson(data, replacedHandle(erasure)))),
  });
}

const FIND_LATE_EVENTS = plannedStatement(
  "find-late-events",
  `select seq from events where account_id = :accountId and chat_id = any(:direct::uuid[]) limit ${BATCH_ROWS}`,
);

/** Erases the events that receipts and running requests still stored in the direct chats after they were closed. */
export const eraseLateEvents: Step = {
  name: "erase-late-events",
  async run(tx, erasure) {
    const { direct } = await findClosedChats(tx, erasure);
    const rows = await tx.run(FIND_LATE_EVENTS, { accountId: erasure.accountId, direct });
    const counts = await eraseEvents(
      tx,
      erasure,
      rows.map(({ seq }) => seq),
    );
    return { counts, cursor: rows.length < BATCH_ROWS ? null : {} };
  },
};

const COUNT_SEARCHED_ATTEMPTS = plannedStatement(
  "count-searched-attempts",
  `select count(*)::int as seen, max(event_seq)::text as last from (
  select event_seq from webhook_attempts
  where account_id = :accountId and event_seq > :after and event_seq <= :upToSeq order by event_seq limit ${BATCH_ROWS}) a`,
);

const REDACT_WEBHOOK_ATTEMPTS = plannedStatement(
  "redact-webhook-attempts",
  `update webhook_attempts set response_body = null, response_headers = null, request = null
  where account_id = :accountId and event_seq > :after and event_seq <= :last
    and lower(concat_ws(' ', response_body, response_headers::text, request::text)) like any(:likePatterns::text[])
  returning 1`,
);

/** Empties the responses of receivers that mention the handle. */
export const searchAttempts: Step = {
  name: "search-attempts",
  async run(tx, erasure): Promise<StepResult> {
    const { accountId, upToSeq, handle } = erasure;
    const after = positionOf(erasure, "-1");
    const [end] = await tx.run(COUNT_SEARCHED_ATTEMPTS, { accountId, after, upToSeq });
    if (end?.last == null) return { counts: {}, cursor: null };
    const rows = await tx.run(REDACT_WEBHOOK_ATTEMPTS, {
      accountId,
      after,
      last: end.last,
      likePatterns: likePatterns(handle),
    });
    return { counts: { webhook_attempts: rows.length }, cursor: end.seen < BATCH_ROWS ? null : end.last };
  },
};

/** Empties the bodies of logged requests about the person, and replaces the handle in their paths. */
export const searchRequests: Step = {
  name: "search-requests",
  run: (tx, erasure) => searchRequestsFrom(tx, erasure, NO_ID),
};

/** Does the same with requests that were logged after the first search. */
export const searchLateRequests: Step = {
  name: "search-late-requests",
  run: (tx, erasure) => searchRequestsFrom(tx, erasure, firstLateId(erasure)),
};

// Ids begin with their time. This does not hold where the platform clock can be moved.
function firstLateId({ closedAt }: Erasure): string {
  if (closedAt === null || env().CLOCK_CONTROL) return NO_ID;
  return firstIdAt(closedAt.getTime() - LOG_DELAY_MS);
}

const SEARCH_REQUESTS_TO_ERASE = plannedStatement(
  "search-requests-to-erase",
  `with seen as materialized (
    select id, chat_id, path, headers, user_agent, line, request_body, response_body, created_at
    from api_requests where account_id = :accountId and id > :cursor order by id limit ${BATCH_ROWS}
  )
  select (select count(*)::int from seen) as seen, (select id from seen order by id desc limit 1) as last,
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'path', path, 'headers', headers,
       'user_agent', user_agent, 'line', line)), '[]')
     from seen
     where chat_id = any(:direct::uuid[]) or created_at <= :createdAt and lower(concat_ws(' ', path, headers::text,
       user_agent, line, request_body, response_body)) like any(:patterns::text[])) as "rows: object[]"`,
);

const REDACT_API_REQUESTS = plannedStatement(
  "redact-api-requests",
  `update api_requests q set path = r.path, headers = r.headers, user_agent = r.user_agent, line = r.line,
    request_body = null, response_body = null,
    chat_id = case when q.chat_id = any(:direct::uuid[]) then null else q.chat_id end
  from jsonb_populate_recordset(null::api_requests, :replaced::jsonb) r
  where q.account_id = :accountId and q.id = r.id`,
);

async function searchRequestsFrom(tx: Sql, erasure: Erasure, first: string): Promise<StepResult> {
  const { accountId, closedAt, handle } = erasure;
  const { direct } = await findClosedChats(tx, erasure);
  const patterns = [...likePatterns(handle), ...(await findSubjects(tx, erasure)).map((id) => `%${id}%`)];
  await closeRequestLog(tx, accountId);
  const [part] = await tx.run(SEARCH_REQUESTS_TO_ERASE, {
    accountId,
    cursor: positionOf(erasure, first),
    createdAt: new Date((closedAt?.getTime() ?? 0) + LOG_DELAY_MS),
    direct,
    patterns,
  });
  const { seen = 0, last = null, rows = [] } = part ?? {};
  const replaced = rows.map((row) => replaceInJson(row, replacedHandle(erasure)));
  await tx.run(REDACT_API_REQUESTS, {
    accountId,
    replaced: JSON.stringify(replaced),
    direct,
  });
  return { counts: { api_requests: rows.length }, cursor: seen < BATCH_ROWS ? null : last };
}
