import type { Run } from "@/scripts/cli/conform/run";

const POLL_MS = 250;
const ENDED = ["delivered", "read", "failed"];

/** A message as `GET /v3/messages/{messageId}` returns it. */
export interface DeliveredMessage {
  id: string;
  delivery_status: string;
  created_at: string;
  sent_at: string | null;
  delivered_at?: string | null;
  read_at?: string | null;
  service?: string | null;
}

/** Polls a message until it is delivered or has failed. For a real person, `sent` is enough: no receipt has to follow. */
export function untilDelivered(
  run: Run,
  messageId: string | boolean | undefined,
): Promise<DeliveredMessage[]> {
  return untilStatus(run, messageId, run.world.isOwn ? ENDED : [...ENDED, "sent"]);
}

/**
 * Polls a message until it has one of these statuses, at most as long as a delivery may take. Returns what each poll
 * saw.
 */
export async function untilStatus(
  run: Run,
  messageId: string | boolean | undefined,
  ends: readonly string[],
): Promise<DeliveredMessage[]> {
  const seen: DeliveredMessage[] = [];
  if (typeof messageId !== "string") return seen;
  const deadline = Date.now() + run.waitMs;
  while (Date.now() < deadline) {
    const { json, status } = await run.call("GET /v3/messages/{messageId}", { path: { messageId } });
    if (status !== 200 || typeof json !== "object" || json === null) break;
    const message = json as DeliveredMessage;
    seen.push(message);
    if (ends.includes(message.delivery_status)) break;
    await run.http.pause(POLL_MS);
  }
  return seen;
}
