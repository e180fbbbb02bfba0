import "server-only";
import { closeCards } from "@/lib/agent-payments/close-cards";
import { IDLE_MS, movePayment } from "@/lib/agent-payments/move-payment";
import { now } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";

const BATCH = 200;

/**
 * Expires payments that have stood still for 15 minutes, closes the cards of those that ended and were not closed yet,
 * and forgets challenges nobody signed. Returns how much it did.
 */
export async function sweepAgentPayments(stop: AbortSignal): Promise<number> {
  let done = 0;
  for (let more = true; more && !stop.aborted; ) {
    const expired = await expireBatch();
    done += expired;
    more = expired === BATCH;
  }
  done += await closeCards(null, stop);
  await sql.query({ text: "delete from passkey_challenges where expires_at < $1", values: [now()] });
  return done;
}

async function expireBatch(): Promise<number> {
  const at = now();
  const rows = await sql.query<{ account_id: string; id: string }>({
    text: `select account_id, id from agent_payments
           where ended_at is null and status <> 'authorized' and moved_at <= $1 order by moved_at limit ${BATCH}`,
    values: [new Date(at.getTime() - IDLE_MS)],
  });
  for (const row of rows) await movePayment(sql, row, { trigger: "idle", at });
  return rows.length;
}
