import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { firstIdAt } from "@/lib/platform/ids";
import { findSubjects } from "@/lib/privacy/erasure/end-payments";
import {
  type Erasure,
  findClosedChats,
  NO_ID,
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

interface FoundEvent {
  seq: string;
  data: unknown;
}

/**
 * Erases the events of the person from before the chats were closed: all of the direct chats and of the person's
 * payments, and those that the person caused in groups. In other events the handle is replaced.
 */
export const searchEvents: Step = {
  name: "search-events",
  async run(tx, erasure) {
    const { direct } = await findClosedChats(tx, erasure);
    const subjects = await findSubjects(tx, erasure);
    const [part] = await tx.query<{ seen: number; last: string | null; own: string[]; found: FoundEvent[] }>({
      text: `with seen as materialized (
               select seq, data, chat_id = any($4::uuid[]) or data ->> 'id' = any($5::text[])
                   or data ->> 'payment_id' = any($5::text[]) or data ->> 'payment_request_id' = any($5::text[]) as is_own
               from events where account_id = $1 and seq > $2 and seq <= $3 order by seq limit ${BATCH_ROWS}
             )
             select (select count(*)::int from seen) as seen, (select max(seq)::text from seen) as last,
               (select coalesce(array_agg(seq::text), '{}') from seen where is_own) as own,
               (select coalesce(jsonb_agg(jsonb_build_object('seq', seq::text, 'data', data)), '[]') from seen
                where is_own is not true and lower(data::text) like any($6::text[])) as found`,
      values: [
        erasure.accountId,
        erasure.cursor ?? "-1",
        erasure.upToSeq,
        direct,
        subjects,
        likePatterns(erasure.handle),
      ],
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

// The number stays. Deliveries are deleted with their attempts, which quote the event's content.
async function eraseEvents(
  tx: Sql,
  { accountId }: Erasure,
  seqs: readonly string[],
): Promise<Record<string, number>> {
  const events = await tx.query({
    text: `update events set type = '${ERASED_EVENT}', internal = true, chat_id = null, message_id = null, data = '{}'
           where account_id = $1 and seq = any($2::bigint[]) and type <> '${ERASED_EVENT}' returning 1`,
    values: [accountId, seqs],
  });
  const deliveries = await tx.query({
    text: "delete from webhook_deliveries where account_id = $1 and event_seq = any($2::bigint[]) returning 1",
    values: [accountId, seqs],
  });
  return { events: events.length, webhook_deliveries: deliveries.length };
}

async function replaceInEvents(tx: Sql, erasure: Erasure, events: readonly FoundEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query({
    text: `update events e set data = r.data from unnest($2::bigint[], $3::jsonb[]) as r(seq, data)
           where e.account_id = $1 and e.seq = r.seq`,
    values: [
      erasure.accountId,
      events.map(({ seq }) => seq),
      events.map(({ data }) => JSON.stringify(replaceInJson(data, replacedHandle(erasure)))),
    ],
  });
}

/** Erases the events that receipts and running requests still stored in the direct chats after they were closed. */
export const eraseLateEvents: Step = {
  name: "erase-late-events",
  async run(tx, erasure) {
    const { direct } = await findClosedChats(tx, erasure);
    const rows = await tx.query<{ seq: string }>({
      text: `select seq from events where account_id = $1 and chat_id = any($2::uuid[]) limit ${BATCH_ROWS}`,
      values: [erasure.accountId, direct],
    });
    const counts = await eraseEvents(
      tx,
      erasure,
      rows.map(({ seq }) => seq),
    );
    return { counts, cursor: rows.length < BATCH_ROWS ? null : {} };
  },
};

/** Empties the responses of receivers that mention the handle. */
export const searchAttempts: Step = {
  name: "search-attempts",
  async run(tx, { accountId, cursor, upToSeq, handle }): Promise<StepResult> {
    const after = cursor ?? "-1";
    const [end] = await tx.query<{ seen: number; last: string | null }>({
      text: `select count(*)::int as seen, max(event_seq)::text as last from (
               select event_seq from webhook_attempts
               where account_id = $1 and event_seq > $2 and event_seq <= $3 order by event_seq limit ${BATCH_ROWS}) a`,
      values: [accountId, after, upToSeq],
    });
    if (end?.last == null) return { counts: {}, cursor: null };
    const rows = await tx.query({
      text: `update webhook_attempts set response_body = null, response_headers = null, request = null
             where account_id = $1 and event_seq > $2 and event_seq <= $3
               and lower(concat_ws(' ', response_body, response_headers::text, request::text)) like any($4::text[])
             returning 1`,
      values: [accountId, after, end.last, likePatterns(handle)],
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

async function searchRequestsFrom(tx: Sql, erasure: Erasure, first: string): Promise<StepResult> {
  const { accountId, closedAt, handle } = erasure;
  const { direct } = await findClosedChats(tx, erasure);
  const patterns = [...likePatterns(handle), ...(await findSubjects(tx, erasure)).map((id) => `%${id}%`)];
  await closeRequestLog(tx, accountId);
  const [part] = await tx.query<{ seen: number; last: string | null; rows: object[] }>({
    text: `with seen as materialized (
             select id, chat_id, path, headers, user_agent, line, request_body, response_body, created_at
             from api_requests where account_id = $1 and id > $2 order by id limit ${BATCH_ROWS}
           )
           select (select count(*)::int from seen) as seen, (select id from seen order by id desc limit 1) as last,
             (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'path', path, 'headers', headers,
                'user_agent', user_agent, 'line', line)), '[]')
              from seen
              where chat_id = any($4::uuid[]) or created_at <= $3 and lower(concat_ws(' ', path, headers::text,
                user_agent, line, request_body, response_body)) like any($5::text[])) as rows`,
    values: [
      accountId,
      erasure.cursor ?? first,
      new Date((closedAt?.getTime() ?? 0) + LOG_DELAY_MS),
      direct,
      patterns,
    ],
  });
  const { seen = 0, last = null, rows = [] } = part ?? {};
  const replaced = rows.map((row) => replaceInJson(row, replacedHandle(erasure)));
  await tx.query({
    text: `update api_requests q set path = r.path, headers = r.headers, user_agent = r.user_agent, line = r.line,
             request_body = null, response_body = null,
             chat_id = case when q.chat_id = any($3::uuid[]) then null else q.chat_id end
           from jsonb_populate_recordset(null::api_requests, $2::jsonb) r
           where q.account_id = $1 and q.id = r.id`,
    values: [accountId, JSON.stringify(replaced), direct],
  });
  return { counts: { api_requests: rows.length }, cursor: seen < BATCH_ROWS ? null : last };
}
