import "server-only";
import type { Attempt, Merchant, OrderOutcome, OrderRefs } from "@/lib/adapters/processors/processor";
import { SETTLEMENT_SECONDS } from "@/lib/adapters/processors/sandbox/test-cards";
import { sql } from "@/lib/platform/database/db";
import type { SandboxOrderStatus } from "@/lib/platform/prisma/enums";
import type { MinorUnits } from "@/lib/platform/text/money";
import { now } from "@/lib/platform/time/clock";

export interface SandboxOrder {
  id: string;
  status: SandboxOrderStatus;
  amountMinor: MinorUnits;
  card: string | null;
  transactionId: string | null;
  paidAt: Date | null;
}

const COLUMNS = `id, status, amount_minor::float8 as "amountMinor", card, transaction_id as "transactionId", paid_at as "paidAt"`;

// An order that settles late is settled by the first read after `settles_at`.
const SETTLE_DUE = `update sandbox_orders set status = 'paid', paid_at = settles_at
  where account_id = $1 and id = $2 and status = 'processing' and settles_at <= $3`;

/** Returns the order's current state, or null when there is none. */
export async function findOrder(merchant: Merchant, refs: OrderRefs): Promise<SandboxOrder | null> {
  const id = orderId(refs);
  await sql.query({ name: "sandbox-settle-due", text: SETTLE_DUE, values: [merchant.accountId, id, now()] });
  const [order] = await sql.query<SandboxOrder>({
    name: "sandbox-order",
    text: `select ${COLUMNS} from sandbox_orders where account_id = $1 and id = $2`,
    values: [merchant.accountId, id],
  });
  return order ?? null;
}

/** Applies an attempt to the order's row. The row decides, so of a concurrent payment and cancellation one wins. */
export async function attemptOrder(
  merchant: Merchant,
  refs: OrderRefs,
  attempt: { card: string | null; from: SandboxOrderStatus[]; becomes: Attempt },
): Promise<Attempt> {
  const at = now();
  const settlesAt = new Date(at.getTime() + SETTLEMENT_SECONDS * 1000);
  const rows = await sql.query({
    name: "sandbox-attempt",
    text: `update sandbox_orders set
             status = (case $4 when 'declined' then 'open' else $4 end)::sandbox_order_status,
             card = coalesce($3, card),
             transaction_id = case when $4 in ('paid', 'processing') then 'txn_test_' || replace(gen_random_uuid()::text, '-', '') end,
             settles_at = case when $4 = 'processing' then $6::timestamptz end,
             paid_at = case when $4 = 'paid' then $5::timestamptz end
           where account_id = $1 and id = $2 and status = any($7::text[]::sandbox_order_status[])
           returning id`,
    values: [merchant.accountId, orderId(refs), attempt.card, attempt.becomes, at, settlesAt, attempt.from],
  });
  return rows.length > 0 ? attempt.becomes : "ended";
}

/** Cancels an unpaid order. */
export async function cancelOrder(merchant: Merchant, refs: OrderRefs): Promise<void> {
  await sql.query({
    name: "sandbox-cancel",
    text: `update sandbox_orders set status = 'canceled'
           where account_id = $1 and id = $2 and status in ('open', 'needs_step')`,
    values: [merchant.accountId, orderId(refs)],
  });
}

/** An order that was never created counts as canceled, because no payer can pay it. */
export function outcomeOf(order: SandboxOrder | null): OrderOutcome {
  if (order === null || order.status === "canceled") return { type: "canceled" };
  if (order.status === "processing") return { type: "processing" };
  if (order.status !== "paid" || order.paidAt === null) return { type: "open" };
  const secondary = { requestId: order.id, transactionId: order.transactionId ?? order.id };
  return { type: "paid", at: order.paidAt, chargedMinor: order.amountMinor, secondary };
}

function orderId({ paymentIntentId, subscriptionId }: OrderRefs): string | null {
  return subscriptionId ?? paymentIntentId;
}
