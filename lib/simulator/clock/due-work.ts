import "server-only";
import { receiptLeaseMs } from "@/lib/adapters/transports/simulator/report-receipts";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

/** Work that becomes due at a time of the platform clock (`:at`). A simulated receipt is leased for `:leaseMs`. */
interface DueWork {
  type: string;
  /** SQL: the work that will run without another cause: `at`, `account_id`, and `is_leased` while a process runs the work. */
  rows: string;
  /** The recurring job that does the work; null for a queue, which always runs. */
  job: string | null;
}

// Only the oldest message and action of a chat can run, and only while the line is up.
const QUEUES: readonly DueWork[] = [
  {
    type: "message",
    rows: `select least(m.dispatch_at, case when m.dispatch_attempts = 0 then :at::timestamptz end) as at,
             m.account_id, m.dispatch_lease_until is not null as is_leased
           from messages m join lines l on l.account_id = m.account_id and l.id = m.line_id
           where m.dispatch_at is not null and l.is_up and not exists (
             select from messages earlier
             where earlier.account_id = m.account_id and earlier.line_id = m.line_id and earlier.chat_id = m.chat_id
               and earlier.dispatch_at is not null and earlier.position < m.position)`,
    job: null,
  },
  {
    type: "chat_action",
    rows: `select a.run_at as at, a.account_id, a.lease_until is not null as is_leased
           from chat_actions a join lines l on l.account_id = a.account_id and l.id = a.line_id
           where l.is_up and not exists (
             select from chat_actions earlier
             where earlier.account_id = a.account_id and earlier.chat_id = a.chat_id and earlier.position < a.position)`,
    job: null,
  },
  {
    type: "chat_turn",
    rows: "select due_at as at, account_id, false as is_leased from chat_turns",
    job: null,
  },
  {
    type: "receipt",
    rows: `select s.due_at as at, s.account_id,
             s.due_at = :at::timestamptz + :leaseMs::int * interval '1 millisecond' as is_leased
           from simulator_messages s join simulator_phones p on p.account_id = s.account_id and p.handle = s.handle
           where s.due_at is not null and p.connection = 'online'`,
    job: null,
  },
  {
    type: "delayed_message",
    rows: `select d.due_at as at, d.account_id, d.lease_until is not null as is_leased
           from simulator_delayed_messages d join lines l on l.account_id = d.account_id and l.id = d.line_id
           where l.is_up`,
    job: null,
  },
  {
    type: "webhook_delivery",
    rows: `select d.run_at as at, d.account_id, d.lease_until is not null as is_leased
           from webhook_deliveries d where d.run_at is not null`,
    job: null,
  },
  {
    type: "webhook_replay",
    rows: "select run_at as at, account_id, false as is_leased from webhook_replays where run_at is not null",
    job: null,
  },
  {
    type: "scheduled_message",
    rows: `select due_at as at, account_id, lease_until is not null as is_leased
           from scheduled_messages where due_at is not null`,
    job: null,
  },
  {
    type: "experience_card",
    rows: "select due_at as at, account_id, false as is_leased from experience_cards where due_at is not null",
    job: null,
  },
];

const JOBS: readonly DueWork[] = [
  {
    type: "payment_request",
    rows: "select check_at as at, account_id, false as is_leased from payment_requests where check_at is not null",
    job: "expire-payment-requests",
  },
  {
    type: "location_share",
    rows: `select ends_at as at, account_id, false as is_leased from location_shares
           where ended_at is null and ends_at is not null`,
    job: "end-location-shares",
  },
  {
    type: "chat_health",
    rows: "select health_due_at as at, account_id, false as is_leased from chats where health_due_at is not null",
    job: "settle-health",
  },
  {
    type: "api_token",
    // Users are notified before a token expires.
    rows: `select expires_at - before as at, account_id, false as is_leased
           from api_tokens, (values (interval '7 days'), (interval '1 day'), (interval '0')) notice(before)
           where expires_at is not null and expired_at is null and revoked_at is null`,
    job: "expire-tokens",
  },
  {
    type: "sandbox",
    rows: `select expires_at as at, id as account_id, false as is_leased from accounts
           where type = 'sandbox' and expires_at is not null`,
    job: "sweep-expired-sandboxes",
  },
];

const WORK = [...QUEUES, ...JOBS];

/** The types of work that `POST /simulator/clock` reports. */
export const WORK_TYPES = WORK.map(({ type }) => type) as [string, ...string[]];

/** The recurring job that does the work of a type; null for a queue. */
export function jobOf(type: string): string | null {
  return WORK.find((work) => work.type === type)?.job ?? null;
}

/** The recurring jobs, including one whose due times are not known in advance. */
export const JOB_NAMES = [...JOBS.flatMap(({ job }) => job ?? []), "expire-content"];

const IS_WORK_PENDING = plannedStatement(
  "is-work-pending",
  `select exists (select from (${union(QUEUES)}) work where at <= :at or is_leased) as is_pending`,
);

/** Whether queued work is due or in progress at a time. */
export async function isWorkPending(at: Date): Promise<boolean> {
  const [row] = await sql.run(IS_WORK_PENDING, { at, leaseMs: receiptLeaseMs() });
  return row?.is_pending === true;
}

const IS_WORK_RUNNING = plannedStatement(
  "is-work-running",
  `select exists (select from (${union(QUEUES)}) work where account_id = :accountId and is_leased) as is_running`,
);

/** Whether a process runs queued work of an account. */
export async function isWorkRunning(on: Sql, accountId: string, at: Date): Promise<boolean> {
  const [row] = await on.run(IS_WORK_RUNNING, { accountId, at, leaseMs: receiptLeaseMs() });
  return row?.is_running === true;
}

const FIND_NEXT_DUE_WORK = plannedStatement(
  "find-next-due-work",
  `select min(at) as next, max(at) filter (where is_queued) as last from (
    select at, true as is_queued from (${union(QUEUES)}) queued
    union all select at, false from (${union(JOBS)}) jobs) work
  where at > :at and (:until::timestamptz is null or at <= :until)`,
);

/** The next due time after a time and until another; null when there is none. With `until` null, of queued work. */
export async function findNextDue(after: Date, until: Date | null): Promise<Date | null> {
  const [row] = await sql.run(FIND_NEXT_DUE_WORK, { at: after, until, leaseMs: receiptLeaseMs() });
  if (until !== null) return row?.next ?? null;
  return row?.last == null ? null : row.next;
}

const COUNT_DUE_WORK = plannedStatement(
  "count-due-work",
  `select type as "type!", count(*)::int as count from (${union(WORK)}) work
  where at > :at and at <= :until group by type order by min(at), type`,
);

/** Counts the work that becomes due after a time and until another, by type, in the order of the due times. */
export function countDue(after: Date, until: Date): Promise<{ type: string; count: number }[]> {
  return sql.run(COUNT_DUE_WORK, { at: after, until, leaseMs: receiptLeaseMs() });
}

function union(work: readonly DueWork[]): string {
  return work
    .map(({ type, rows }) => `select '${type}' as type, at, account_id, is_leased from (${rows}) t`)
    .join(" union all ");
}
