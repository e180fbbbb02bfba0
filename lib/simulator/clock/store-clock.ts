import "server-only";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { type ClockSetting, platformTimeAt } from "@/lib/platform/time/clock";
import { applyStoredClock, toClockSetting } from "@/lib/platform/time/follow-clock";

/** A change of the platform clock, applied in the order reset, advance, set, freeze, rate. */
export interface ClockChange {
  /** Returns to the wall clock. */
  reset?: boolean | undefined;
  advanceMs?: number | undefined;
  /** Sets the clock to a time. */
  at?: Date | undefined;
  frozen?: boolean | undefined;
  /** Seconds of the platform clock in a second of the wall clock. */
  rate?: number | undefined;
}

/** Queue columns that hold a due time on the platform clock. */
const DUE_COLUMNS = [
  ["messages", "dispatch_at"],
  ["chat_actions", "run_at"],
  ["webhook_deliveries", "run_at"],
  ["webhook_replays", "run_at"],
  ["simulator_messages", "due_at"],
  ["simulator_delayed_messages", "due_at"],
  ["experience_cards", "due_at"],
  ["scheduled_messages", "due_at"],
] as const;

const STORE_CLOCK = plannedStatement(
  "store-clock",
  "update platform_clock set offset_ms = :offsetMs, frozen_at = :frozenAt, rate = :factor, rate_from = :from where id = 1",
);

/**
 * Changes the platform clock of every process of the instance. When the clock goes back, the due times of queued work go
 * back by the same amount, so due work stays due and remaining waits stay the same.
 */
export async function storeClock(change: ClockChange): Promise<void> {
  await transaction(async (tx) => {
    const { setting, wall } = await lockClock(tx);
    const changed = changedClock(setting, wall, change);
    await tx.run(STORE_CLOCK, {
      offsetMs: changed.offsetMs,
      frozenAt: changed.frozenAt,
      factor: changed.rate?.factor ?? 1,
      from: changed.rate?.from ?? null,
    });
    // The clock of this process may be behind the stored one, by which other processes have set due times.
    await shiftDueTimesBack(tx, platformTimeAt(setting, wall), platformTimeAt(changed, wall));
  });
  await applyStoredClock();
  sql.wake("clock");
}

const ENSURE_CLOCK = plannedStatement(
  "ensure-clock",
  "insert into platform_clock (id) values (1) on conflict do nothing",
);

const LOCK_CLOCK = plannedStatement(
  "lock-clock",
  `select offset_ms, frozen_at, rate, rate_from, date_trunc('milliseconds', clock_timestamp()) as wall
  from platform_clock where id = 1 for update`,
);

async function lockClock(tx: Sql): Promise<{ setting: ClockSetting; wall: Date }> {
  await tx.run(ENSURE_CLOCK);
  const [row] = await tx.run(LOCK_CLOCK);
  if (row === undefined) throw new Error("the platform clock has no row");
  const { offset_ms, frozen_at: frozenAt, rate, rate_from: rateFrom, wall } = row;
  return { setting: toClockSetting({ offsetMs: BigInt(offset_ms), frozenAt, rate, rateFrom }), wall };
}

/** The clock after a change at a time of the wall clock. A frozen clock keeps its rate for the time after. */
export function changedClock(setting: ClockSetting, wall: Date, change: ClockChange): ClockSetting {
  const start: ClockSetting = change.reset ? { offsetMs: 0, frozenAt: null } : setting;
  const base = change.at ?? platformTimeAt(start, wall);
  const at = new Date(base.getTime() + (change.advanceMs ?? 0));
  const factor = change.rate ?? start.rate?.factor ?? 1;
  return {
    offsetMs: at.getTime() - wall.getTime(),
    frozenAt: (change.frozen ?? start.frozenAt !== null) ? at : null,
    rate: factor === 1 ? undefined : { factor, from: wall },
  };
}

async function shiftDueTimesBack(tx: Sql, before: Date, after: Date): Promise<void> {
  const backMs = before.getTime() - after.getTime();
  if (backMs <= 0) return;
  for (const [table, column] of DUE_COLUMNS) {
    await tx.runText({
      text: `update ${table} set ${column} = ${column} - $1::bigint * interval '1 millisecond' where ${column} > $2`,
      values: [backMs, after],
    });
  }
}
