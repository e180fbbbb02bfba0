import "server-only";
import { randomInt } from "node:crypto";
import { batched } from "@/lib/platform/database/batch";
import { byKey, type Sql, sql } from "@/lib/platform/database/db";
import { arraysSql, namesSql, toArrays, valuesSql } from "@/lib/platform/database/input-columns";
import { statement } from "@/lib/platform/database/statement";
import { latencyStep } from "@/lib/platform/telemetry/latency-steps";
import type { AttemptResult, Evaluation } from "@/lib/webhooks/deliveries/attempt/attempt-result";
import { originOf, toStoredRequest } from "@/lib/webhooks/deliveries/attempt/stored-request";
import type { ClaimedDelivery } from "@/lib/webhooks/deliveries/claim/claim-deliveries";

/** The result of an attempt at a delivery. */
export interface Outcome {
  delivery: ClaimedDelivery;
  result: AttemptResult;
  /** A delivery that waits without a retry stops its chat. */
  evaluation: Evaluation | { status: "waiting"; retryInMs: null };
  /** Platform clock. */
  at: Date;
}

const COLUMNS = [
  ["account_id", "uuid"],
  ["delivery_id", "uuid"],
  ["number", "int"],
  ["subscription_id", "uuid"],
  ["started_at", "timestamptz"],
  ["latency_ms", "float8"],
  ["latency_step", "int"],
  ["dns_ms", "float4"],
  ["connect_ms", "float4"],
  ["tls_ms", "float4"],
  ["first_byte_ms", "float4"],
  ["status_code", "int"],
  ["error", "text"],
  ["request", "json"],
  ["response_headers", "json"],
  ["response_body", "text"],
  ["status", "webhook_delivery_status"],
  ["wait_ms", "int"],
  ["run_at", "timestamptz"],
  ["ended_at", "timestamptz"],
] as const;

const KEPT = `account_id, delivery_id, number, started_at, latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
  status_code, error, request, response_headers, response_body`;

/**
 * Each process has its own count rows, because two processes that update the same row would wait for each other's
 * commit.
 */
const SHARD = randomInt(32);

// An outcome counts only for the claim that it belongs to, but a late success ends the delivery whichever claim holds
// it now.
const COUNTS = "d.status = 'waiting' and (d.attempts = o.number or o.status = 'delivered')";
const whenCounted = (column: string, value = `o.${column}`) =>
  `${column} = case when ${COUNTS} then ${value} else d.${column} end`;

// Content that was erased during the attempt must not return through a response that echoes it. The event of a turn
// names its messages in its data.
const ANSWER = `case when coalesce(o.response_body, '') = '' or not exists (
    select 1 from events e cross join lateral (
      select e.message_id as id where e.message_id is not null
      union all
      select (item #>> '{message,id}')::uuid
      from jsonb_array_elements(case when e.type = 'chat.turn' then e.data -> 'messages' end) item
    ) content join messages m on ${byKey("m", { account_id: "e.account_id", id: "content.id" })}
    where ${byKey("e", { account_id: "o.account_id", seq: "d.event_seq" })} and m.deleted_at is not null
  ) then o.response_body end`;

// `settled` locks the delivery's row until the commit, so the attempt cannot outlive the delivery. If the delivery was
// deleted with its account, the outcome is dropped.
const RECORD = `, settled as (
    update webhook_deliveries d
    set ${whenCounted("status")}, ${whenCounted("run_at")}, ${whenCounted("lease_until", "null")}, ${whenCounted("ended_at")},
      ${whenCounted("waited_ms", "d.waited_ms + o.wait_ms")}
    from o
    where ${byKey("d", { account_id: "o.account_id", id: "o.delivery_id" })}
    returning d.id, d.event_seq
  ), kept as (
    insert into webhook_attempts (${KEPT}, event_seq)
    select ${KEPT.replaceAll(/\w+/g, "o.$&").replace("o.response_body", ANSWER)}, d.event_seq
    from o join settled d on d.id = o.delivery_id
    on conflict do nothing
    returning delivery_id, number
  )
  insert into webhook_attempt_counts as known
    (account_id, subscription_id, hour, outcome, latency_step, shard, count, first_at, last_at)
  select o.account_id, o.subscription_id, date_trunc('hour', o.started_at, 'UTC'),
    coalesce(o.error, o.status_code::text), o.latency_step, ${SHARD}, count(*), min(o.started_at), max(o.started_at)
  from o join kept k on k.delivery_id = o.delivery_id and k.number = o.number
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (account_id, subscription_id, hour, outcome, latency_step, shard) do update
  set count = known.count + excluded.count, first_at = least(known.first_at, excluded.first_at),
    last_at = greatest(known.last_at, excluded.last_at)`;

const RECORD_ONE = statement(
  "record-attempt",
  `with o(${namesSql(COLUMNS)}) as (
    values (${valuesSql(COLUMNS)}))${RECORD}`,
);

const RECORD_MANY = statement(
  "record-attempts",
  `with o as (select * from unnest(${arraysSql(COLUMNS)})
    as t(${namesSql(COLUMNS)}))${RECORD}`,
);

/** Stores an attempt and the resulting state of its delivery. Concurrent calls share one statement. */
export const recordAttempt = batched<Outcome, void>({
  keyOf: ({ delivery }) => delivery.id,
  runOne: (outcome) => storeAttempts(sql, [outcome]),
  runMany: async (outcomes) => {
    await storeAttempts(sql, outcomes);
    return [];
  },
});

/** Stores attempts and the resulting state of their deliveries, in one statement of the caller's transaction. */
export async function storeAttempts(on: Sql, outcomes: readonly Outcome[]): Promise<void> {
  const [outcome] = outcomes;
  if (outcome !== undefined && outcomes.length === 1) await on.run(RECORD_ONE, parametersOf(outcome));
  else await on.run(RECORD_MANY, toArrays(outcomes.map(parametersOf)));
}

function parametersOf({ delivery, result, evaluation, at }: Outcome) {
  const { timing } = result;
  const ended = evaluation.status !== "waiting";
  return {
    accountId: delivery.accountId,
    deliveryId: delivery.id,
    number: delivery.attempt,
    subscriptionId: delivery.subscription.id,
    startedAt: result.startedAt,
    latencyMs: result.latencyMs,
    latencyStep: latencyStep(result.latencyMs),
    dnsMs: timing?.dnsMs ?? null,
    connectMs: timing?.connectMs ?? null,
    tlsMs: timing?.tlsMs ?? null,
    firstByteMs: timing?.firstByteMs ?? null,
    statusCode: result.statusCode,
    error: result.error,
    request: jsonOf(result.request && toStoredRequest(result.request, originOf(delivery))),
    responseHeaders: jsonOf(result.responseHeaders),
    responseBody: result.responseBody,
    status: evaluation.status,
    waitMs: evaluation.retryInMs ?? 0,
    runAt: evaluation.retryInMs === null ? null : new Date(at.getTime() + evaluation.retryInMs),
    endedAt: ended ? at : null,
  };
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
