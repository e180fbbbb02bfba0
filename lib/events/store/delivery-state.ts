import "server-only";
import { z } from "zod";

/**
 * The status of a delivery as pages and tools show it. A `stopped` delivery has permanently failed, and the later
 * events of its chat wait until it is retried or skipped (docs/decisions/0045). It is stored as `waiting`.
 */
export const DeliveryState = z.enum(["waiting", "stopped", "delivered", "failed", "skipped"]);

export type DeliveryState = z.infer<typeof DeliveryState>;

/** SQL for whether the delivery `d` has stopped its chat, as the index of these deliveries says it. */
export function isStopped(d: string): string {
  return `(${d}.queue_chat_id is not null and ${d}.status = 'waiting' and ${d}.run_at is null
      and ${d}.stopped_at is not null)`;
}

/** SQL for the `DeliveryState` of the delivery `d`. */
export function deliveryState(d: string): string {
  return `case when ${isStopped(d)} then 'stopped' else ${d}.status::text end`;
}
