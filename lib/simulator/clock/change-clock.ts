import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { runSerially } from "@/lib/platform/tasks/run-serially";
import { now, readClocks } from "@/lib/platform/time/clock";
import { WORK_TYPES } from "@/lib/simulator/clock/due-work";
import { Duration } from "@/lib/simulator/clock/duration";
import { runDueWork } from "@/lib/simulator/clock/run-due-work";
import { storeClock } from "@/lib/simulator/clock/store-clock";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

/** Time limit of a run, by the wall clock. */
const MAX_RUN_MS = 60_000;
const YEAR_SECONDS = 366 * 24 * 60 * 60;

const Clock = z.object({
  now: z.iso.datetime().describe("Time of the platform clock."),
  offset_ms: z.number().meta({
    description: "Offset of the platform clock from the wall clock, in milliseconds.",
    examples: [3600000],
  }),
  frozen: z.boolean().meta({ description: "`true` if the platform clock is stopped.", examples: [false] }),
  rate: z.number().meta({
    description:
      "Seconds of the platform clock in a second of the wall clock while the clock is not stopped.",
    examples: [1],
  }),
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

const ClockControl = z
  .object({
    reset: z.literal(true).optional().describe("`true` returns to the wall clock and its rate."),
    freeze: z.boolean().optional().describe("`true` stops the clock, `false` lets it run."),
    advance: Duration.optional().describe(
      "Time to advance the clock by, up to 366 days: a number with `ms`, `s`, `m`, `h` or `d`, such as `16m`, or a number of seconds.",
    ),
    rate: z
      .number()
      .min(0.01)
      .max(100_000)
      .optional()
      .describe("Seconds of the platform clock in a second of the wall clock, 0.01 to 100000."),
    run_until_idle: z
      .boolean()
      .default(false)
      .describe(
        "`true` moves the clock from due time to due time and lets the work of each time end before the next. With `advance`, up to that time; without it, until no queued work is left.",
      ),
  })
  .refine(({ run_until_idle, ...change }) => run_until_idle || Object.keys(change).length > 0, {
    message: "set freeze, advance, rate, run_until_idle or reset",
  });

const RanWork = z.object({
  type: z.enum(WORK_TYPES).describe("Type of the work."),
  count: z.int().describe("Number of items that became due."),
});

export const ControlClock = contract({
  summary: "Freeze, advance or speed up the platform clock and run due work",
  description:
    "Controls the platform clock of every process, and with `run_until_idle` runs the work that becomes due: sends and retries, chat actions, receipts, webhook deliveries and their retries, payment requests, location shares, chat health, and the expiry of tokens and sandboxes. Work runs in the order of its due times. The work that follows from it, such as the webhook deliveries of its events, also ends before the response but is not counted. Affects the whole instance. Requires `CLOCK_CONTROL`.",
  tag: "Simulator",
  right: "manage_account",
  sandboxOnly: true,
  body: ClockControl.meta({ examples: [{ advance: "24h", run_until_idle: true }] }),
  returns: Clock.extend({
    ran: z.array(RanWork).meta({
      description: "The work that became due during the run, by type, in the order of the first due times.",
      examples: [[{ type: "webhook_delivery", count: 6 }]],
    }),
    is_idle: z
      .boolean()
      .nullable()
      .meta({
        description: `With \`run_until_idle\`: \`false\` if the work was not done after ${MAX_RUN_MS / 1000} seconds of the wall clock. The clock then stays where the run stopped. \`null\` without \`run_until_idle\`.`,
        examples: [true],
      }),
  }),
  status: 200,
  errors: ["body_invalid", "parameter_invalid", "feature_not_available"],
  extension: true,
});

export const GetClock = contract({
  summary: "Get the platform clock",
  description: "Returns the platform clock. All timestamps and timeouts of the instance use it.",
  tag: "Simulator",
  right: "view_account",
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
  right: "manage_account",
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

/** Changes the platform clock of the whole instance, in the order reset, advance, freeze. Errors: feature_not_available. */
export async function changeClock(ctx: Context, { body }: Input<typeof ChangeClock>) {
  requireClockControl(ctx);
  const { reset, frozen, advance_seconds } = body;
  await storeClock({ reset, frozen, advanceMs: Math.round((advance_seconds ?? 0) * 1000) });
  return readClock();
}

/**
 * Controls the platform clock of the whole instance, and lets due work run in order. Errors: feature_not_available.
 */
export async function controlClock(ctx: Context, { body }: Input<typeof ControlClock>) {
  requireClockControl(ctx);
  const { reset, freeze: frozen, rate, advance: advanceMs, run_until_idle } = body;
  if (!run_until_idle) {
    await storeClock({ reset, frozen, rate, advanceMs });
    return { ...(await readClock()), ran: [], is_idle: null };
  }
  // Two runs at the same time would move the clock under each other.
  return runSerially("simulator clock", async () => {
    const { frozen: wasFrozen } = await readClock();
    await storeClock({ reset, rate, frozen: true });
    const until = advanceMs === undefined ? null : new Date(now().getTime() + advanceMs);
    try {
      const { ran, isIdle } = await runDueWork(until, AbortSignal.timeout(MAX_RUN_MS));
      await storeClock({ frozen: frozen ?? wasFrozen });
      return { ...(await readClock()), ran, is_idle: isIdle };
    } catch (error) {
      await storeClock({ frozen: frozen ?? wasFrozen });
      throw error;
    }
  });
}

const READ_CLOCK_STATE = plannedStatement(
  "read-clock-state",
  "select frozen_at is not null as frozen, rate from platform_clock where id = 1",
);

async function readClock(): Promise<z.infer<typeof Clock>> {
  const [row] = await sql.run(READ_CLOCK_STATE);
  const { platform, wall } = readClocks();
  return {
    now: platform.toISOString(),
    offset_ms: platform.getTime() - wall.getTime(),
    frozen: row?.frozen ?? false,
    rate: row?.rate ?? 1,
  };
}

function requireClockControl(ctx: Context): void {
  requireSandbox(ctx);
  if (!env().CLOCK_CONTROL) fail("feature_not_available", "changing the clock requires CLOCK_CONTROL=1");
}
