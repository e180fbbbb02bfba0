import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { inBackground } from "@/lib/platform/database/database-scope";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { plannedStatement } from "@/lib/platform/database/statement";
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

const ERASURE_COLUMNS = `e.account_id as "accountId", a.type as "accountType", a.partner_id as "partnerId", e.id,
  e.handle as "handle!", e.actor_type as "actorType", e.actor_id as "actorId", e.trace_id as "traceId",
  e.requested_at as "requestedAt", e.step as "step!", e.cursor, e.up_to_seq::text as "upToSeq", e.closed_at as "closedAt",
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

const CLAIM_ERASURES = plannedStatement(
  "claim-erasures",
  `update person_erasures e set lease_until = statement_timestamp() + make_interval(secs => :leaseSeconds)
  from (
    select account_id, id from person_erasures
    where run_at <= :now and (lease_until is null or lease_until < statement_timestamp())
    order by run_at limit :limit for update skip locked
  ) due join accounts a on a.id = due.account_id
  where e.account_id = due.account_id and e.id = due.id
  returning ${ERASURE_COLUMNS}`,
);

function claimErasures(limit: number, leaseSeconds: number): Promise<Erasure[]> {
  return sql.run(CLAIM_ERASURES, { now: now(), limit, leaseSeconds });
}

const CLAIM_ERASURE = plannedStatement(
  "claim-erasure",
  `update person_erasures e set lease_until = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
  from accounts a
  where e.account_id = :accountId and e.id = :id and e.run_at <= :now and a.id = e.account_id
  returning ${ERASURE_COLUMNS}`,
);

async function claimErasure(accountId: string, id: string): Promise<Erasure | null> {
  const [erasure] = await sql.run(CLAIM_ERASURE, { accountId, id, now: now() });
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

const LOCK_ERASURE_STEP = plannedStatement(
  "lock-erasure-step",
  `select 1 from person_erasures
  where account_id = :accountId and id = :id and step = :step and cursor is not distinct from :cursor::jsonb for update`,
);

// Another process may have performed the part after this one's lease expired.
async function lockPart(tx: Sql, { accountId, id, step, cursor }: Erasure): Promise<boolean> {
  const rows = await tx.run(LOCK_ERASURE_STEP, {
    accountId,
    id,
    step,
    cursor: cursor === null ? null : JSON.stringify(cursor),
  });
  return rows.length > 0;
}

const RECORD_ERASURE_STEP = plannedStatement(
  "record-erasure-step",
  `update person_erasures e
  set step = :step, cursor = :cursor, run_at = case when :step::text is not null then :runAt::timestamptz end,
    lease_until = null, attempts = 0, erased_at = case when :isErased then :at else erased_at end,
    ended_at = case when :step::text is null then :at::timestamptz end,
    handle = case when :step::text is not null then handle end,
    file_ids = case when :step::text is not null then file_ids else '{}' end,
    counts = (
      select coalesce(jsonb_object_agg(name, total), '{}')
      from (select name, sum(rows::int) as total
            from (select * from jsonb_each_text(e.counts) union all select * from jsonb_each_text(:withoutZeros)) c(name, rows)
            group by name) t)
  where e.account_id = :accountId and e.id = :erasureId returning counts`,
);

async function recordPart(tx: Sql, erasure: Erasure, { counts, cursor }: StepResult): Promise<void> {
  const at = now();
  const step = cursor === null ? stepAfter(erasure.step) : erasure.step;
  const isErased = step === FIRST_LATE_STEP && erasure.step !== FIRST_LATE_STEP;
  const runAt = isErased ? new Date(at.getTime() + LATE_MS) : at;
  const [row] = await tx.run(RECORD_ERASURE_STEP, {
    accountId: erasure.accountId,
    erasureId: erasure.id,
    step,
    cursor: cursor === null ? null : JSON.stringify(cursor),
    runAt,
    isErased,
    at,
    withoutZeros: JSON.stringify(withoutZeros(counts)),
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

const POSTPONE_ERASURE = plannedStatement(
  "postpone-erasure",
  `update person_erasures
  set attempts = attempts + 1, lease_until = null, run_at = :now::timestamptz + interval '${RETRY_SECONDS} seconds'
  where account_id = :accountId and id = :id and step = :step`,
);

async function postpone({ accountId, id, step }: Erasure): Promise<void> {
  await sql.run(POSTPONE_ERASURE, { accountId, id, step, now: now() });
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
