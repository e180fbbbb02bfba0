import "server-only";
import { readLogEnd, untilWritersEnd } from "@/lib/events/tail/event-writers";
import type { Sql } from "@/lib/platform/database/db";

const WAIT_MS = 5000;

/**
 * Returns the number of the newest event (0 without one), as soon as no event with a lower number can still appear. Returns
 * null if a transaction that writes events does not end within five seconds, and when `stop` is aborted.
 */
export async function lastFinalEvent(on: Sql, stop: AbortSignal): Promise<number | null> {
  const { last, writers } = await readLogEnd(on);
  return (await untilWritersEnd(on, { ms: WAIT_MS, stop, known: writers })) ? last : null;
}
