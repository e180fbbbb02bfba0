import "server-only";
import { prisma, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { onWake, TOPICS, wakeLocally } from "@/lib/platform/database/wake";
import { env } from "@/lib/platform/env";
import type { PlatformClock } from "@/lib/platform/prisma/client";
import { runSerially } from "@/lib/platform/tasks/run-serially";
import { log } from "@/lib/platform/telemetry/log";
import { type ClockSetting, clockSkew, setClock, setClockSkew } from "@/lib/platform/time/clock";

const MEASURE_EVERY_MS = 5000;
/** The fastest of this many responses is the most accurate. */
const MEASUREMENTS = 3;
/** A response within this time is accurate enough to confirm the last measurement alone. */
const QUICK_MS = 10;
/** Smaller differences are measurement errors: two processes of one machine read the same clock. */
const NOISE_MS = 2;
const NOTABLE_SKEW_MS = 1000;

/** The clock setting that a row of platform_clock holds. */
export function toClockSetting({
  offsetMs,
  frozenAt,
  rate,
  rateFrom,
}: Pick<PlatformClock, "offsetMs" | "frozenAt" | "rate" | "rateFrom">): ClockSetting {
  const isAtWallRate = rate === 1 || rateFrom === null;
  return {
    offsetMs: Number(offsetMs),
    frozenAt,
    rate: isAtWallRate ? undefined : { factor: rate, from: rateFrom },
  };
}

/**
 * Sets this process's clock from the database and wakes everything that may be due at the new time. Reads run one after
 * the other, so that an earlier read never replaces the result of a later one and the clock does not go back.
 */
export async function applyStoredClock(): Promise<void> {
  await runSerially("stored clock", async () => {
    const row = await prisma().platformClock.findUnique({ where: { id: 1 } });
    setClock(row === null ? null : toClockSetting(row));
  });
  for (const topic of TOPICS) if (topic !== "clock") wakeLocally(topic);
}

/**
 * Keeps this process on PostgreSQL's clock, whatever its own clock shows, and on the instance's offset if
 * CLOCK_CONTROL allows one. Returns a function that stops this.
 */
export async function followClock(): Promise<() => Promise<void>> {
  await measureSkew();
  const measuring = setInterval(() => {
    measureSkew().catch((error: unknown) => log.warn({ err: error }, "PostgreSQL's clock could not be read"));
  }, MEASURE_EVERY_MS).unref();

  const unsubscribe = env().CLOCK_CONTROL ? await followStoredClock() : null;
  return async () => {
    clearInterval(measuring);
    unsubscribe?.();
    setClockSkew(0);
  };
}

async function followStoredClock(): Promise<() => void> {
  await applyStoredClock();
  return onWake("clock", () => {
    applyStoredClock().catch((error: unknown) =>
      log.error({ err: error }, "the database clock could not be read"),
    );
  });
}

/** Measures the milliseconds by which PostgreSQL's clock is ahead of this process's clock, and applies them. */
async function measureSkew(): Promise<void> {
  let best = await measureOnce();
  if (best.roundTripMs <= QUICK_MS && isNoise(best.skewMs - clockSkew(), best)) return;
  for (let count = 1; count < MEASUREMENTS; count++) {
    const measured = await measureOnce();
    if (measured.roundTripMs < best.roundTripMs) best = measured;
  }
  setClockSkew(isNoise(best.skewMs, best) ? 0 : best.skewMs);
  if (Math.abs(best.skewMs) > NOTABLE_SKEW_MS) {
    log.warn(
      { skewMs: best.skewMs },
      "this machine's clock differs from PostgreSQL's, which is used: check its time synchronization",
    );
  }
}

function isNoise(differenceMs: number, { roundTripMs }: { roundTripMs: number }): boolean {
  return Math.abs(differenceMs) <= NOISE_MS + roundTripMs / 2;
}

const READ_CLOCK = statement("read-clock", "select clock_timestamp() as at");

async function measureOnce(): Promise<{ skewMs: number; roundTripMs: number }> {
  const sentAt = Date.now();
  const startedAt = performance.now();
  const [row] = await sql.run(READ_CLOCK);
  const roundTripMs = performance.now() - startedAt;
  if (row === undefined) throw new Error("PostgreSQL did not return its time");
  return { skewMs: Math.round(row.at.getTime() - sentAt - roundTripMs / 2), roundTripMs };
}
