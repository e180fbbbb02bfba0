import "server-only";
import type { Attempt, Merchant, OrderOutcome, OrderRefs } from "@/lib/adapters/processors/processor";
import { SETTLEMENT_SECONDS } from "@/lib/adapters/processors/sandbox/test-cards";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import type { SandboxOrderStatus } from "@/lib/platform/prisma/enums";
import { now } from "@/lib/platform/time/clock";

export type SandboxOrder = RowOf<"sandbox-order">;

const COLUMNS = `id, status, amount_minor::float8 as "amountMinor: MinorUnits", card, transaction_id as "transactionId", paid_at as "paidAt"`;

// An order that settles late is settled by the first read after `settles_at`.
const SETTLE_DUE = statement(
  "sandbox-settle-due",
  `update sandbox_orders set status = 'paid', paid_at = settles_at
  where account_id = :accountId and id = :id and status = 'processing' and settles_at <= :now`,
);

const SANDBOX_ORDER = statement(
  "sandbox-order",
  `select ${COLUMNS} from sandbox_orders where account_id = :accountId and id = :id`,
);

/** Returns the order's current state, or null when there is none. */
export async function findOrder(merchant: Merchant, refs: OrderRefs): Promise<SandboxOrder | null> {
  const id = orderId(refs);
  await sql.run(SETTLE_DUE, { accountId: merchant.accountId, id, now: now() });
  const [order] = await sql.run(SANDBOX_ORDER, { accountId: merchant.accountId, id });
  return order ?? null;
}

const SANDBOX_ATTEMPT = statement(
  "sandbox-attempt",
  `update sandbox_orders set
    status = (case :becomes when 'declined' then 'open' else :becomes end)::sandbox_order_status,
    card = coalesce(:card, card),
    transaction_id = case when :becomes in ('paid', 'processing') then 'txn_test_' || replace(gen_random_uuid()::text, '-', '') end,
    settles_at = case when :becomes = 'processing' then :settlesAt::timestamptz end,
    paid_at = case when :becomes = 'paid' then :at::timestamptz end
  where account_id = :accountId and id = :orderId and status = any(:from::text[]::sandbox_order_status[])
  returning id`,
);

/** Applies an attempt to the order's row. The row decides, so of a concurrent payment and cancellation one wins. */
export async function attemptOrder(
  merchant: Merchant,
  refs: OrderRefs,
  attempt: { card: string | null; from: SandboxOrderStatus[]; becomes: Attempt },
): Promise<Attempt> {
  const at = now();
  const settlesAt = new Date(at.getTime() + SETTLEMENT_SECONDS * 1000);
  const rows = await sql.run(SANDBOX_ATTEMPT, {
    accountId: merchant.accountId,
    orderId: orderId(refs),
    card: attempt.card,
    becomes: attempt.becomes,
    at,
    settlesAt,
    from: attempt.from,
  });
  return rows.length > 0 ? attempt.becomes : "ended";
}

const SANDBOX_CANCEL = statement(
  "sandbox-cancel",
  `update sandbox_orders set status = 'canceled'
  where account_id = :accountId and id = :orderId and status in ('open', 'needs_step')`,
);

/** Cancels an unpaid order. */
export async function cancelOrder(merchant: Merchant, refs: OrderRefs): Promise<void> {
  await sql.run(SANDBOX_CANCEL, { accountId: merchant.accountId, orderId: orderId(refs) });
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
