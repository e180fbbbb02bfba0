import "server-only";
import { now } from "@/lib/platform/clock";
import type { Sql } from "@/lib/platform/db";

/** Notes that a vendor's event was taken in, in the caller's transaction. False when it was before: of two at once, one is the first. */
export async function recordVendorEvent(tx: Sql, vendor: string, eventId: string): Promise<boolean> {
  const first = await tx.query({
    name: "remember-processor-event",
    text: `insert into processor_events (processor, event_id, received_at) values ($1, $2, $3)
           on conflict do nothing returning 1`,
    values: [vendor, eventId, now()],
  });
  return first.length > 0;
}
