import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { inBackground } from "@/lib/platform/database/database-scope";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import type { Erasure, StepResult } from "@/lib/privacy/erasure/erasure";
import { FIRST_LATE_STEP, stepAfter, stepOf } from "@/lib/privacy/erasure/erasure-steps";

const CONCURRENCY = 1;
const POLL_MS = 15_000;
const LEASE_SECONDS = 60;
const RETRY_SECONDS = 30;
/** Longer than any request or delivery that can be in flight when the chats are closed. */
const LATE_MS = 15 * 60_000;

const ERASURE_COLUMNS = `e.account_id as "accountId", a.type::text as "accountType", a.partner_id as "partnerId", e.id,
  e.handle, e.actor_type as "actorType", e.actor_id as "actorId", e.trace_id as "traceId",
  e.requested_at as "requestedAt", e.step, e.cursor, e.up_to_seq::text as "upToSeq", e.closed_at as "closedAt",
  e.attempts`;

/**
 * Performs requested erasures, part by part. Each part is one transaction with the record of how far the erasure is, so
 * a killed process loses at most one part, which another process repeats.
 */
export function startErasures(leaseSeconds = LEASE_SECONDS): Queue {
  return startQueue<Erasure>({
    name: "erasures",
    topic: "erasures",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: (limit) => claimErasures(limit, leaseSeconds),
    handle: (erasure) => inBackground(() => performPart(erasure)),
  });
}

/** Performs all due parts of one erasure in this process. */
export async function performErasure(accountId: string, id: string): Promise<void> {
  while (await performNextPart(accountId, id)) {
    // The next part is due at once, until the erasure waits for what is in flight.
  }
}

/** Performs the next part of an erasure, if it is due. Returns the erasure as it was before; null when none is due. */
export async function performNextPart(accountId: string, id: string): Promise<Erasure | null> {
  const erasure = await claimErasure(accountId, id);
  if (erasure !== null) await inBackground(() => performPart(erasure));
  return erasure;
}

function claimErasures(limit: number, leaseSeconds: number): Promise<Erasure[]> {
  return sql.query<Erasure>({
    text: `update person_erasures e set lease_until = statement_timestamp() + make_interval(secs => $3)
           from (
             select account_id, id from person_erasures
             where run_at <= $1 and (lease_until is null or lease_until < statement_timestamp())
             order by run_at limit $2 for update skip locked
           ) due join accounts a on a.id = due.account_id
           where e.account_id = due.account_id and e.id = due.id
           returning ${ERASURE_COLUMNS}`,
    values: [now(), limit, leaseSeconds],
  });
}

async function claimErasure(accountId: string, id: string): Promise<Erasure | null> {
  const [erasure] = await sql.query<Erasure>({
    text: `update person_erasures e set lease_until = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
           from accounts a
           where e.account_id = $1 and e.id = $2 and e.run_at <= $3 and a.id = e.account_id
           returning ${ERASURE_COLUMNS}`,
    values: [accountId, id, now()],
  });
  return erasure ?? null;
}

async function performPart(erasure: Erasure): Promise<void> {
  const step = stepOf(erasure.step);
  try {
    const prepared = (await step.prepare?.(erasure)) ?? {};
    await transaction(
      async (tx) => {
        if (!(await lockPart(tx, erasure))) return;
        const result = await step.run(tx, erasure);
        await recordPart(tx, erasure, { ...result, counts: sumOf(prepared, result.counts) });
        tx.wake("erasures");
      },
      { isCool: true },
    );
  } catch (error) {
    log.error({ err: error, erasure: erasure.id, step: erasure.step }, "an erasure will be tried again");
    await postpone(erasure);
  }
}

// Another process may have performed the part after this one's lease expired.
async function lockPart(tx: Sql, { accountId, id, step, cursor }: Erasure): Promise<boolean> {
  const rows = await tx.query({
    text: `select 1 from person_erasures
           where account_id = $1 and id = $2 and step = $3 and cursor is not distinct from $4::jsonb for update`,
    values: [accountId, id, step, cursor === null ? null : JSON.stringify(cursor)],
  });
  return rows.length > 0;
}

async function recordPart(tx: Sql, erasure: Erasure, { counts, cursor }: StepResult): Promise<void> {
  const at = now();
  const step = cursor === null ? stepAfter(erasure.step) : erasure.step;
  const isErased = step === FIRST_LATE_STEP && erasure.step !== FIRST_LATE_STEP;
  const runAt = isErased ? new Date(at.getTime() + LATE_MS) : at;
  const [row] = await tx.query<{ counts: Record<string, number> }>({
    text: `update person_erasures e
           set step = $3, cursor = $4, run_at = case when $3::text is not null then $5::timestamptz end,
             lease_until = null, attempts = 0, erased_at = case when $6 then $7 else erased_at end,
             ended_at = case when $3::text is null then $7::timestamptz end,
             handle = case when $3::text is not null then handle end,
             file_ids = case when $3::text is not null then file_ids else '{}' end,
             counts = (
               select coalesce(jsonb_object_agg(name, total), '{}')
               from (select name, sum(rows::int) as total
                     from (select * from jsonb_each_text(e.counts) union all select * from jsonb_each_text($8)) c(name, rows)
                     group by name) t)
           where e.account_id = $1 and e.id = $2 returning counts`,
    values: [
      erasure.accountId,
      erasure.id,
      step,
      cursor === null ? null : JSON.stringify(cursor),
      runAt,
      isErased,
      at,
      JSON.stringify(withoutZeros(counts)),
    ],
  });
  if (isErased) await recordErased(tx, erasure, at, row?.counts ?? {});
}

async function recordErased(
  tx: Sql,
  { accountId, partnerId, id }: Erasure,
  at: Date,
  counts: Record<string, number>,
): Promise<void> {
  const scope = { partnerId, accountId, at };
  await recordSystemAudit(tx, scope, "person.erased", "person_erasure", id, { counts });
}

async function postpone({ accountId, id, step }: Erasure): Promise<void> {
  await sql.query({
    text: `update person_erasures
           set attempts = attempts + 1, lease_until = null, run_at = $4::timestamptz + interval '${RETRY_SECONDS} seconds'
           where account_id = $1 and id = $2 and step = $3`,
    values: [accountId, id, step, now()],
  });
}

function sumOf(
  left: Readonly<Record<string, number>>,
  right: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum: Record<string, number> = { ...left };
  for (const [name, count] of Object.entries(right)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

function withoutZeros(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
