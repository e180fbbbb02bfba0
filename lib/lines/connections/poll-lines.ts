import "server-only";
import { randomInt } from "node:crypto";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { outageReason } from "@/lib/adapters/transports/line-state";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { allTransports, transportOf } from "@/lib/adapters/transports/registry";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { PolledPage, Polling, Running } from "@/lib/adapters/transports/transport";
import { withTimeout } from "@/lib/adapters/with-timeout";
import { explainLineDown } from "@/lib/lines/connections/explain-line-down";
import { isSendableHereSql, sessionParameters } from "@/lib/lines/connections/held-sessions";
import { openConnection } from "@/lib/lines/connections/line-connection";
import { byKey, sql } from "@/lib/platform/database/db";
import { startQueue } from "@/lib/platform/database/queue";
import { type AllBut, isJoined, type RowOf, statement } from "@/lib/platform/database/statement";
import { onWake, wakeLocally } from "@/lib/platform/database/wake";
import { log } from "@/lib/platform/telemetry/log";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

const CONCURRENCY = 16;
const READ_TIMEOUT_MS = 30_000;
const LEASE_SECONDS = 15;
const RENEW_MS = 5000;
const MAX_PAUSE_MS = 900_000;
/** Maximum delay before lines are found that another program connected or a dead process left behind. */
const LOOK_MS = 30_000;

/** A line that this process may poll until its lease ends. */
type DueLine = AllBut<RowOf<"claim-line-polls">, "cursor" | "next_in_ms">;

/**
 * Polls the vendors of lines whose transport supports it (`Transport.poll`). Each line is polled by one process at a
 * time. The cursor of a poll is stored after its events: if the process dies in between, the events are read again, and
 * the sink recognizes them by their refs. Failures increase the pause, up to 15 minutes. Does nothing when no transport
 * polls.
 */
export function startLinePolls(sink: Sink): Running {
  const polled = allTransports().flatMap(({ name, poll }) => (poll === undefined ? [] : name));
  if (polled.length === 0) return { stop: async () => {} };

  const stopping = new AbortController();
  const look = () => wakeLocally("lines");
  let timer: NodeJS.Timeout | undefined;
  const queue = startQueue<DueLine>({
    name: "line-polls",
    topic: "lines",
    most: CONCURRENCY,
    pollMs: LOOK_MS,
    async claim(limit) {
      const { lines, nextInMs } = await claimDue(polled, limit);
      clearTimeout(timer);
      if (nextInMs !== null && nextInMs < LOOK_MS) timer = setTimeout(look, Math.max(1, nextInMs));
      return lines;
    },
    handle: (line) => pollLine(line, sink, stopping.signal),
  });
  const unsubscribe = onWake("clock", look);
  return {
    async stop() {
      unsubscribe();
      stopping.abort();
      await queue.stop();
      clearTimeout(timer);
    },
  };
}

// A line with a session is polled by the process that keeps the session.
const IS_POLLED = `l.connection is not null and l.released_at is null
  and ${isSendableHereSql("l")}`;
const NOW = platformNowSql();

/** Claims due lines and returns the time until the next line is due. */
const CLAIM = statement(
  "claim-line-polls",
  `with due as (
    select l.account_id, l.id from lines l
    where l.transport = any(:transports::text[]) and ${IS_POLLED} and l.poll_due_at <= ${NOW}
      and (l.poll_lease_until is null or l.poll_lease_until < clock_timestamp())
    order by l.poll_due_at limit :limit for no key update skip locked
  ), claimed as (
    update lines l set poll_lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds', poll_due_at = ${NOW}
    from due where ${byKey("l", { account_id: "due.account_id", id: "due.id" })}
    returning l.*
  ), next as (
    select min(n.poll_due_at) as at from unnest(:transports::text[]) t(transport) cross join lateral (
      select l.poll_due_at from lines l
      where l.transport = t.transport and ${IS_POLLED} and l.poll_due_at > ${NOW}
      order by l.poll_due_at limit 1
    ) n
  )
  select ceil(extract(epoch from next.at - ${NOW}) * 1000)::float8 as next_in_ms, c.account_id, c.id, c.phone_number,
    c.line_type, c.transport, c.connection, c.connection_number, c.is_up, c.poll_cursor as cursor,
    c.poll_failures as failures
  from next left join claimed c on true`,
);

async function claimDue(transports: readonly string[], limit: number) {
  const rows = await sql.run(CLAIM, { transports, limit, ...clockParameters(), ...sessionParameters() });
  return { lines: rows.filter(isJoined<DueLine>), nextInMs: rows[0]?.next_in_ms ?? null };
}

async function pollLine(due: DueLine, sink: Sink, stopping: AbortSignal): Promise<void> {
  const renewing = setInterval(() => {
    renewLease(due).catch((error: unknown) => log.warn({ err: error }, "a lease could not be renewed"));
  }, RENEW_MS);
  try {
    const polling = pollingOf(due);
    const page = await readPage(due, polling, stopping);
    await sink.receive(lineOf(due), page.events);
    // A page with an unchanged cursor would be read again in an endless loop.
    const isBehind = page.more && page.cursor !== due.cursor;
    await endPoll(due, {
      cursor: page.cursor,
      failures: 0,
      pauseMs: isBehind ? 0 : (page.pauseSeconds ?? polling.everySeconds) * 1000,
    });
  } catch (error) {
    const { cursor, failures } = due;
    if (stopping.aborted) return await endPoll(due, { cursor, failures, pauseMs: 0 });
    const pauseMs = pauseAfter(due, error);
    log.warn({ err: error, lineId: due.id, pauseMs }, "a line could not be polled");
    await explainLineDown(lineOf(due), outageReason(error));
    await endPoll(due, { cursor, failures: failures + 1, pauseMs });
  } finally {
    clearInterval(renewing);
  }
}

function pollingOf({ transport }: DueLine): Polling {
  const { poll } = transportOf(transport);
  if (poll === undefined) throw new Error(`the transport "${transport}" does not poll`);
  return poll;
}

function readPage(due: DueLine, polling: Polling, stopping: AbortSignal): Promise<PolledPage> {
  const line = lineOf(due);
  const connection = openConnection(line, due.connection);
  return withTimeout(READ_TIMEOUT_MS, (signal) =>
    polling.read({ ...line, isUp: due.is_up }, connection, due.cursor, AbortSignal.any([signal, stopping])),
  );
}

/**
 * The pause in milliseconds doubles with each failure. Up to half of it is random, so that lines do not retry at the
 * same time.
 */
function pauseAfter(due: DueLine, error: unknown): number {
  const boundMs = Math.min(pollingOf(due).everySeconds * 1000 * 2 ** (due.failures + 1), MAX_PAUSE_MS);
  const pauseMs = boundMs / 2 + randomInt(Math.ceil(boundMs / 2) + 1);
  return error instanceof AdapterError ? Math.max(pauseMs, error.retryAfterMs ?? 0) : pauseMs;
}

function lineOf({ account_id, id, phone_number, line_type, connection_number }: DueLine): LineRef {
  return {
    accountId: account_id,
    id,
    phoneNumber: phone_number,
    lineType: line_type,
    connectionNumber: connection_number,
  };
}

const END_LINE_POLL = statement(
  "end-line-poll",
  `update lines set poll_cursor = :pollCursor, poll_failures = :failures, poll_lease_until = null,
    poll_due_at = case when poll_due_at = 'epoch' then poll_due_at
      else ${NOW} + :pauseMs::bigint * interval '1 millisecond' end
  where account_id = :accountId and id = :dueId and poll_lease_until is not null
    and poll_cursor is not distinct from :cursor and connection_number = :connectionNumber`,
);

/**
 * Stores the outcome of a poll. If the lease expired and another process has moved the cursor, or the line has another
 * connection, the outcome is dropped, so that the cursor never moves back and never reaches another vendor. A line that
 * became due during the poll stays due.
 */
async function endPoll(
  due: DueLine,
  { cursor, failures, pauseMs }: { cursor: string | null; failures: number; pauseMs: number },
): Promise<void> {
  await sql.run(END_LINE_POLL, {
    accountId: due.account_id,
    dueId: due.id,
    ...clockParameters(),
    cursor: due.cursor,
    pollCursor: cursor,
    failures,
    pauseMs: Math.round(pauseMs),
    connectionNumber: due.connection_number,
  });
}

const RENEW_LINE_POLL = statement(
  "renew-line-poll",
  `update lines set poll_lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
  where account_id = :accountId and id = :id and poll_lease_until is not null
    and poll_cursor is not distinct from :cursor and connection_number = :connectionNumber`,
);

async function renewLease({ account_id, id, cursor, connection_number }: DueLine): Promise<void> {
  await sql.run(RENEW_LINE_POLL, { accountId: account_id, id, cursor, connectionNumber: connection_number });
}
