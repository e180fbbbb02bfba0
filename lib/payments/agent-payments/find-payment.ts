import "server-only";
import { nextPaymentStatus } from "@/lib/payments/agent-payments/advance/payment-state";
import { type AgentPaymentRow, PAYMENT_COLUMNS } from "@/lib/payments/agent-payments/agent-payment";
import { IDLE_MS } from "@/lib/payments/agent-payments/move-payment";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const FIND_AGENT_PAYMENT = statement(
  "find-agent-payment",
  `select ${PAYMENT_COLUMNS} from agent_payments where id = :paymentId`,
);

/** Returns a payment of the account. Errors: payment_request_not_found (2021), access_denied for another account's. */
export async function findPayment(ctx: Context, paymentId: string): Promise<AgentPaymentRow> {
  const [row] = await sql.run(FIND_AGENT_PAYMENT, { paymentId });
  if (row === undefined) fail("payment_request_not_found", "the account has no payment with this ID");
  if (row.account_id !== ctx.account.id) fail("access_denied");
  return row;
}

/** Whether a payment has been idle for so long that it expires (docs/contract.md, section 14.1). */
export function isIdle(row: AgentPaymentRow, now: Date): boolean {
  if (nextPaymentStatus(row.status, "idle") === row.status) return false;
  return row.moved_at.getTime() + IDLE_MS <= now.getTime();
}
