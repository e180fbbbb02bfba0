import "server-only";
import { setClock } from "@/lib/platform/clock";
import { prisma } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { onWake, TOPICS, wakeHere } from "@/lib/platform/wake";

/** Sets this process's clock as the database says, and wakes whatever may be due at the new time. */
export async function applyStoredClock(): Promise<void> {
  const row = await prisma().platformClock.findUnique({ where: { id: 1 } });
  setClock(row === null ? null : { offsetMs: Number(row.offsetMs), frozenAt: row.frozenAt });
  for (const topic of TOPICS) if (topic !== "clock") wakeHere(topic);
}

/** Keeps this process on the instance's clock where CLOCK_CONTROL lets it be moved. Returns how to leave. */
export async function followClock(): Promise<() => Promise<void>> {
  if (!env().CLOCK_CONTROL) return async () => {};
  await applyStoredClock();
  const unsubscribe = onWake("clock", () => {
    applyStoredClock().catch((error: unknown) => log.error({ err: error }, "the clock could not be read"));
  });
  return async () => unsubscribe();
}
