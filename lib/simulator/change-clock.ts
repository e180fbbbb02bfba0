import "server-only";
import { z } from "zod";
import { now, wallNow } from "@/lib/platform/clock";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { applyStoredClock } from "@/lib/platform/follow-clock";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const YEAR_SECONDS = 366 * 24 * 60 * 60;

const Clock = z.object({
  now: z.iso.datetime().describe("Time of the platform clock."),
  offset_ms: z.number().meta({
    description: "Offset of the platform clock from the wall clock, in milliseconds.",
    examples: [3600000],
  }),
  frozen: z.boolean().meta({ description: "`true` if the platform clock is stopped.", examples: [false] }),
});

const ClockChange = z
  .object({
    advance_seconds: z
      .number()
      .min(0)
      .max(YEAR_SECONDS)
      .optional()
      .describe("Seconds to advance the clock by, up to one year."),
    frozen: z.boolean().optional().describe("`true` stops the clock, `false` lets it run."),
    reset: z.literal(true).optional().describe("`true` returns to the wall clock."),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: "set advance_seconds, frozen or reset",
  });

export const GetClock = contract({
  summary: "Get the platform clock",
  description: "Returns the platform clock. All timestamps and timeouts of the instance use it.",
  tag: "Simulator",
  sandboxOnly: true,
  returns: Clock,
  status: 200,
  errors: ["feature_not_available"],
  extension: true,
});

export const ChangeClock = contract({
  summary: "Advance, freeze or reset the platform clock of every process",
  description:
    "Advances, freezes or resets the platform clock of every process. Requires `CLOCK_CONTROL` on the instance. Timestamps, expiries and retries follow the clock; signatures use the wall clock.",
  tag: "Simulator",
  sandboxOnly: true,
  body: ClockChange.meta({ examples: [{ advance_seconds: 3600 }] }),
  returns: Clock,
  status: 200,
  errors: ["body_invalid", "parameter_invalid", "feature_not_available"],
  extension: true,
});

/** Returns the platform clock. Errors: feature_not_available unless CLOCK_CONTROL is set. */
export async function getClock(ctx: Context): Promise<z.infer<typeof Clock>> {
  requireClockControl(ctx);
  return readClock();
}

/** Queue columns that hold a due time on the platform clock. */
const DUE_COLUMNS = [
  ["messages", "dispatch_at"],
  ["chat_actions", "run_at"],
  ["webhook_deliveries", "run_at"],
  ["webhook_replays", "run_at"],
  ["simulator_messages", "due_at"],
  ["experience_cards", "due_at"],
] as const;

/**
 * Changes the platform clock of the whole instance, in the order reset, advance, freeze. When the clock goes back, the
 * due times of queued work go back by the same amount, so due work stays due and remaining waits stay the same. Errors:
 * feature_not_available.
 */
export async function changeClock(ctx: Context, { body }: Input<typeof ChangeClock>) {
  requireClockControl(ctx);
  const before = now();
  await transaction(async (tx) => {
    await tx.query({
      text: `with stored as (
             select coalesce((select offset_ms from platform_clock where id = 1 and not $1), 0) as offset_ms,
               (select frozen_at from platform_clock where id = 1 and not $1) as frozen_at
           ), advanced as (
             select offset_ms + $2::bigint as offset_ms, frozen_at + $2::bigint * interval '1 millisecond' as frozen_at
             from stored
           ), changed as (
             select case when frozen_at is not null and $3 = false
                 then round(extract(epoch from frozen_at - statement_timestamp()) * 1000)::bigint else offset_ms end as offset_ms,
               case when $3 then coalesce(frozen_at, statement_timestamp() + offset_ms * interval '1 millisecond')
                 when $3 is null then frozen_at end as frozen_at
             from advanced
           )
           insert into platform_clock (id, offset_ms, frozen_at) select 1, offset_ms, frozen_at from changed
           on conflict (id) do update set offset_ms = excluded.offset_ms, frozen_at = excluded.frozen_at`,
      values: [body.reset ?? false, Math.round((body.advance_seconds ?? 0) * 1000), body.frozen ?? null],
    });
    await shiftDueTimesBack(tx, before);
  });
  await applyStoredClock();
  sql.wake("clock");
  return readClock();
}

async function shiftDueTimesBack(tx: Sql, before: Date): Promise<void> {
  const [row] = await tx.query<{ at: Date }>({
    text: `select coalesce(frozen_at, statement_timestamp() + offset_ms * interval '1 millisecond') as at
           from platform_clock where id = 1`,
  });
  const after = row?.at ?? before;
  const backMs = before.getTime() - after.getTime();
  if (backMs <= 0) return;
  for (const [table, column] of DUE_COLUMNS) {
    await tx.query({
      text: `update ${table} set ${column} = ${column} - $1::bigint * interval '1 millisecond' where ${column} > $2`,
      values: [backMs, after],
    });
  }
}

async function readClock(): Promise<z.infer<typeof Clock>> {
  const [row] = await sql.query<{ frozen: boolean }>({
    text: "select frozen_at is not null as frozen from platform_clock where id = 1",
  });
  const at = now();
  return {
    now: at.toISOString(),
    offset_ms: at.getTime() - wallNow().getTime(),
    frozen: row?.frozen ?? false,
  };
}

function requireClockControl(ctx: Context): void {
  requireSandbox(ctx);
  if (!env().CLOCK_CONTROL) fail("feature_not_available", "changing the clock requires CLOCK_CONTROL=1");
}
