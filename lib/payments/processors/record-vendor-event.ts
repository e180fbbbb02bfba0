import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";

/**
 * Records a vendor's event in the caller's transaction. Returns false for an event that is already recorded, including
 * for the second of two concurrent calls.
 */
export async function recordVendorEvent(tx: Sql, vendor: string, eventId: string): Promise<boolean> {
  const first = await tx.query({
    name: "remember-processor-event",
    text: `insert into processor_events (processor, event_id, received_at) values ($1, $2, $3)
           on conflict do nothing returning 1`,
    values: [vendor, eventId, now()],
  });
  return first.length > 0;
}
