import "server-only";
import { assessReputation } from "@/lib/lines/reputation/assess-reputation";
import { readLineAuditData } from "@/lib/lines/reputation/read-line-audit-data";
import { sql } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const CONCURRENCY = 2;
const POLL_MS = 15_000;
const LEASE_SECONDS = 60;
const MAX_ATTEMPTS = 3;

type DueAudit = RowOf<"claim-audits">;

/** Runs the requested reputation audits. If a process dies, another one runs its audit after the lease expires. */
export function startAudits(): Queue {
  return startQueue<DueAudit>({
    name: "audits",
    topic: "audits",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claimAudits,
    handle: makeAudit,
  });
}

const CLAIM_AUDITS = statement(
  "claim-audits",
  `update reputation_audits a set attempts = a.attempts + 1,
    lease_until = now() + interval '${LEASE_SECONDS} seconds'
  from (
    select account_id, id, line_id from reputation_audits
    where status = 'pending' and (lease_until is null or lease_until < now())
    order by created_at limit :limit for update skip locked
  ) due join lines l on l.account_id = due.account_id and l.id = due.line_id
  where a.account_id = due.account_id and a.id = due.id
  returning a.account_id, a.id, a.line_id, l.phone_number, a.attempts`,
);

function claimAudits(limit: number): Promise<DueAudit[]> {
  return sql.run(CLAIM_AUDITS, { limit });
}

async function makeAudit(audit: DueAudit): Promise<void> {
  try {
    const details = await readLineAuditData(audit.account_id, audit.line_id, now());
    await settleAudit(audit, { report: assessReputation(audit.phone_number, details), error: null });
  } catch (error) {
    if (audit.attempts < MAX_ATTEMPTS) throw error;
    log.error({ err: error, audit: audit.id }, "a reputation audit failed");
    await settleAudit(audit, { report: null, error: "The audit failed. Request another audit." });
  }
}

const SETTLE_AUDIT = statement(
  "settle-audit",
  `update reputation_audits set status = (case when :error::text is null then 'complete' else 'error' end)::audit_status,
    report = :report, error = :error, generated_at = :now, lease_until = null
  where account_id = :accountId and id = :id and status = 'pending'`,
);

async function settleAudit(
  { account_id, id }: DueAudit,
  { report, error }: { report: object | null; error: string | null },
): Promise<void> {
  await sql.run(SETTLE_AUDIT, {
    accountId: account_id,
    id,
    report: report === null ? null : JSON.stringify(report),
    error,
    now: now(),
  });
}
