import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const REMEMBER_PROCESSOR_EVENT = statement(
  "remember-processor-event",
  `insert into processor_events (processor, event_id, received_at) values (:vendor, :eventId, :now)
  on conflict do nothing returning 1`,
);

/**
 * Records a vendor's event in the caller's transaction. Returns false for an event that is already recorded, including
 * for the second of two concurrent calls.
 */
export async function recordVendorEvent(tx: Sql, vendor: string, eventId: string): Promise<boolean> {
  const first = await tx.run(REMEMBER_PROCESSOR_EVENT, { vendor, eventId, now: now() });
  return first.length > 0;
}
