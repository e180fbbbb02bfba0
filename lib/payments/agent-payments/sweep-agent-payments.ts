import "server-only";
import { type AgentPaymentRow, PAYMENT_COLUMNS } from "@/lib/payments/agent-payments/agent-payment";
import { closeCards } from "@/lib/payments/agent-payments/cards/close-cards";
import { findLostCards } from "@/lib/payments/agent-payments/cards/find-lost-cards";
import { expireIfIdle } from "@/lib/payments/agent-payments/end-payment";
import { IDLE_MS } from "@/lib/payments/agent-payments/move-payment";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const BATCH = 200;

const DELETE_EXPIRED_PASSKEY_CHALLENGES = plannedStatement(
  "delete-expired-passkey-challenges",
  "delete from passkey_challenges where expires_at < :now",
);

/**
 * Expires payments without progress for 15 minutes, closes the open cards of ended payments, and deletes challenges
 * that were never signed. Returns the number of changes.
 */
export async function sweepAgentPayments(stop: AbortSignal): Promise<number> {
  let done = 0;
  for (let more = true; more && !stop.aborted; ) {
    const expired = await expireBatch();
    done += expired;
    more = expired === BATCH;
  }
  done += await findLostCards(stop);
  done += await closeCards(null, stop);
  await sql.run(DELETE_EXPIRED_PASSKEY_CHALLENGES, { now: now() });
  return done;
}

const FIND_IDLE_AGENT_PAYMENTS = plannedStatement(
  "find-idle-agent-payments",
  `select ${PAYMENT_COLUMNS} from agent_payments
  where ended_at is null and status <> 'authorized' and moved_at <= :movedAt order by moved_at limit ${BATCH}`,
);

async function expireBatch(): Promise<number> {
  const at = now();
  const rows = await sql.run(FIND_IDLE_AGENT_PAYMENTS, { movedAt: new Date(at.getTime() - IDLE_MS) });
  const moved = await Promise.all(rows.map((row) => tryToExpire(row, at)));
  return moved.filter(Boolean).length;
}

async function tryToExpire(row: AgentPaymentRow, at: Date): Promise<boolean> {
  try {
    await expireIfIdle(row, at);
    return true;
  } catch (error) {
    log.warn({ err: error, paymentId: row.id }, "a payment could not be expired and will be retried");
    return false;
  }
}
