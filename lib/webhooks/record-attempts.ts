import "server-only";
import { batched } from "@/lib/platform/batch";
import { sql } from "@/lib/platform/db";
import type { AttemptResult, Verdict } from "@/lib/webhooks/attempt-result";
import type { ClaimedDelivery } from "@/lib/webhooks/claim-deliveries";

/** What an attempt at a delivery came to. */
export interface Outcome {
  delivery: ClaimedDelivery;
  result: AttemptResult;
  verdict: Verdict;
  /** Platform clock. */
  at: Date;
}

const COLUMNS = [
  ["account_id", "uuid"],
  ["delivery_id", "uuid"],
  ["number", "int"],
  ["started_at", "timestamptz"],
  ["latency_ms", "float8"],
  ["status_code", "int"],
  ["error", "text"],
  ["response_body", "text"],
  ["status", "webhook_delivery_status"],
  ["run_at", "timestamptz"],
  ["ended_at", "timestamptz"],
] as const;

// An outcome counts for the claim it belongs to, but a late success ends the delivery whoever holds it now. A delivery
// that is gone with its account takes its outcome with it.
const RECORD = `, kept as (
    insert into webhook_attempts
      (account_id, delivery_id, number, started_at, latency_ms, status_code, error, response_body)
    select o.account_id, o.delivery_id, o.number, o.started_at, o.latency_ms, o.status_code, o.error, o.response_body
    from o join webhook_deliveries d on d.account_id = o.account_id and d.id = o.delivery_id
    on conflict do nothing
  )
  update webhook_deliveries d
  set status = o.status, run_at = o.run_at, lease_until = null, ended_at = o.ended_at
  from o
  where d.account_id = o.account_id and d.id = o.delivery_id and d.status = 'waiting'
    and (d.attempts = o.number or o.status = 'delivered')`;

const NAMES = COLUMNS.map(([name]) => name).join(", ");
const ONE = `with o(${NAMES}) as (
    values (${COLUMNS.map(([, type], index) => `$${index + 1}::${type}`).join(", ")}))${RECORD}`;
const MANY = `with o as (select * from unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ")})
    as t(${NAMES}))${RECORD}`;

/** Stores an attempt and what becomes of its delivery, many in one statement when they come together. */
export const recordAttempt = batched<Outcome, void>({
  keyOf: ({ delivery }) => delivery.id,
  runOne: async (outcome) => {
    await sql.query({ name: "record-attempt", text: ONE, values: valuesOf(outcome) });
  },
  runMany: async (outcomes) => {
    const rows = outcomes.map(valuesOf);
    const columns = COLUMNS.map((_, index) => rows.map((row) => row[index]));
    await sql.query({ name: "record-attempts", text: MANY, values: columns });
    return [];
  },
});

function valuesOf({ delivery, result, verdict, at }: Outcome): unknown[] {
  const ended = verdict.status !== "waiting";
  return [
    delivery.accountId,
    delivery.id,
    delivery.attempt,
    result.startedAt,
    result.latencyMs,
    result.statusCode,
    result.error,
    result.responseBody,
    verdict.status,
    verdict.retryInMs === null ? null : new Date(at.getTime() + verdict.retryInMs),
    ended ? at : null,
  ];
}
