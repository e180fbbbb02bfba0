import "server-only";
import { randomUUID } from "node:crypto";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** A schedule whose process dies is run by another process after this time. */
export const LEASE_SECONDS = 60;

/** A schedule and its row in `schedules`. The times are of PostgreSQL's clock. */
export interface ScheduleRow {
  name: string;
  now: Date;
  /** Null when the schedule has no row yet. */
  due_at: Date | null;
  /** When the lease of its process ends; null when no process runs it. */
  lease_until: Date | null;
  /** Attempts at the run that is due, this one included. Null when the schedule was not claimed. */
  attempt: number | null;
}

/** The right to run a schedule, until the lease ends. */
export interface ScheduleLease {
  name: string;
  /** A random id of the claim. */
  id: string;
  claimedAt: Date;
}

// Rounded as the columns are, so that a due time stored after a claim is never earlier than the claim.
const NOW = "clock_timestamp()::timestamptz(3)";
const LEASE_END = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

const CLAIM = statement(
  "claim-schedules",
  `with due as (
    select s.name from schedules s
    where s.name = any(:names::text[]) and s.due_at <= ${NOW} and (s.lease_until is null or s.lease_until < ${NOW})
    for no key update skip locked
  ), claimed as (
    update schedules s set lease_id = :leaseId::uuid, lease_until = ${LEASE_END}, attempt = s.attempt + 1
    from due where s.name = due.name
    returning s.name, s.attempt
  )
  select t.name as "name!", ${NOW} as now, s.due_at, s.lease_until, claimed.attempt
  from unnest(:names::text[]) t(name) left join schedules s on s.name = t.name left join claimed on claimed.name = t.name`,
);

/** Leases the schedules that are due, under one id, and returns a row for each name. */
export async function claimSchedules(names: readonly string[]) {
  const leaseId = randomUUID();
  const rows = await sql.run(CLAIM, { names, leaseId });
  return { leaseId, rows };
}

const STORE_SCHEDULES = statement(
  "store-schedules",
  `insert into schedules as s (name, due_at) select * from unnest(:names::text[], :dueAts::timestamptz[])
  on conflict (name) do update set due_at = least(s.due_at, excluded.due_at),
    lease_until = case when s.lease_until > ${LEASE_END} then ${LEASE_END} else s.lease_until end`,
);

/** Adds schedules, and brings forward due times and leases that are too far in the future. */
export async function storeSchedules(dueTimes: ReadonlyMap<string, Date>): Promise<void> {
  await sql.run(STORE_SCHEDULES, { names: [...dueTimes.keys()], dueAts: [...dueTimes.values()] });
}

const MAKE_SCHEDULES_DUE = statement(
  "make-schedules-due",
  `update schedules set due_at = ${NOW} where name = any(:names::text[])`,
);

/** Makes schedules due now. A running one is repeated when it ends. */
export async function makeSchedulesDue(names: readonly string[]): Promise<void> {
  await sql.run(MAKE_SCHEDULES_DUE, { names });
}

const RENEW_SCHEDULES = statement(
  "renew-schedules",
  `update schedules s set lease_until = ${LEASE_END}
  from unnest(:names::text[], :leaseIds::uuid[]) as held(name, lease_id)
  where s.name = held.name and s.lease_id = held.lease_id
  returning s.name, s.lease_id`,
);

/** Extends leases. Returns those that this process still holds. */
export async function renewLeases(leases: readonly ScheduleLease[]): Promise<ScheduleLease[]> {
  const rows = await sql.run(RENEW_SCHEDULES, {
    names: leases.map(({ name }) => name),
    leaseIds: leases.map(({ id }) => id),
  });
  return leases.filter(({ name, id }) => rows.some((row) => row.name === name && row.lease_id === id));
}

const RELEASE_SCHEDULE = statement(
  "release-schedule",
  `update schedules set lease_id = null, lease_until = null,
    attempt = :attempt,
    due_at = case when due_at > :claimedAt::timestamptz then due_at
      else least(:nextAt::timestamptz, clock_timestamp() + :retryInMs::float8 * interval '1 millisecond') end
  where name = :name and lease_id = :id::uuid
  returning extract(epoch from due_at - clock_timestamp())::float8 * 1000 as due_in_ms`,
);

/** What follows a run. */
interface Release {
  /** Attempts at the run that is due, so far. */
  attempt: number;
  /** The next time of the schedule. */
  nextAt: Date;
  /** The pause before the run is repeated; null when it is not. */
  retryInMs: number | null;
}

/**
 * Ends a lease. The schedule is due at `nextAt`, or in `retryInMs` if that is given and earlier. Returns in how many ms
 * it is due; null when the lease was lost.
 */
export async function releaseSchedule(
  { name, id, claimedAt }: ScheduleLease,
  release: Release,
): Promise<number | null> {
  const [row] = await sql.run(RELEASE_SCHEDULE, { name, id, claimedAt, ...release });
  return row?.due_in_ms ?? null;
}
