import "server-only";
import type { CardProvider } from "@/lib/adapters/card-providers/card-provider";
import { checkCaps } from "@/lib/payments/agent-payments/advance/check-caps";
import { type AgentPaySettings, limitsIn } from "@/lib/payments/agent-payments/agent-pay-settings";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { closeCards } from "@/lib/payments/agent-payments/cards/close-cards";
import { cancelRevoked } from "@/lib/payments/agent-payments/end-payment";
import { moveOrReread, movePayment, rereadPayment } from "@/lib/payments/agent-payments/move-payment";
import { callProvider } from "@/lib/payments/card-providers/call-provider";
import { holdConnection } from "@/lib/payments/connections/handle-connection";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { runSerially } from "@/lib/platform/tasks/run-serially";
import { amountText, type MinorUnits } from "@/lib/platform/text/money";

/**
 * Issues the card of a payment within the account's limits and makes the payment `ready`. Concurrent calls issue one
 * card. If the payment ended meanwhile, its card is closed. If the customer's consent was revoked meanwhile, the
 * payment is canceled too. If the passkeys were reset meanwhile, the payment waits for another approval, and its card
 * can't be used before. Errors: parameter_invalid and state_conflict (limits), and as `callProvider`.
 */
export async function mintCard(
  ctx: Context,
  provider: CardProvider,
  { payment, settings }: { payment: AgentPaymentRow; settings: AgentPaySettings },
): Promise<AgentPaymentRow> {
  checkCaps(settings, payment);
  const most = limitsIn(settings, payment.currency).perHandleDayMinor;
  const { account_id, handle } = payment;
  const isReserved = await runSerially(`agent-pay ${account_id} ${handle}`, () =>
    transaction((tx) => reserve(tx, ctx, payment, most)),
  );
  if (!isReserved) return moveOrReread(payment, { trigger: "unconnected", at: ctx.now });

  const { cardRef } = await callProvider(() =>
    provider.mint({
      accountId: payment.account_id,
      handle: payment.handle,
      paymentId: payment.id,
      amountMinor: payment.amount_minor,
      currency: payment.currency,
      merchant: { name: payment.merchant_name, url: payment.merchant_url },
    }),
  );

  // The reference is stored whatever the payment's status, so that no unknown card stays open.
  await storeCard(payment, cardRef);
  const { isConnected, ready } = await transaction((tx) => makeReady(tx, ctx, payment));
  if (ready !== null) return ready;
  const current = await rereadPayment(payment);
  if (current.ended_at !== null) await closeCards(payment.account_id);
  else if (!isConnected && current.status !== "authorized") return cancelRevoked(current, ctx.now);
  return current;
}

const LOCK_AGENT_SPENDING = plannedStatement(
  "lock-agent-spending",
  "select pg_advisory_xact_lock(hashtextextended('agent-pay ' || :accountId || ' ' || :handle, 0))",
);

const TOTAL_RESERVED_TODAY = plannedStatement(
  "total-reserved-today",
  `select coalesce(sum(amount_minor), 0)::float8 as minor from agent_payments
  where account_id = :accountId and handle = :handle and currency = :currency and id <> :id and reserved_at >= :dayStart
    and status not in ('canceled', 'expired', 'declined')`,
);

const RESERVE_AGENT_PAYMENT = plannedStatement(
  "reserve-agent-payment",
  "update agent_payments set reserved_at = :now where account_id = :accountId and id = :id",
);

/**
 * Returns false when the customer is no longer connected, so no card may be issued. Errors: state_conflict (the daily
 * limit).
 */
async function reserve(
  tx: Sql,
  ctx: Context,
  payment: AgentPaymentRow,
  most: MinorUnits | null,
): Promise<boolean> {
  const { account_id, id, handle, currency, amount_minor } = payment;
  // Held until the commit: of two concurrent payments of a handle, the second includes the first in its daily total.
  await tx.run(LOCK_AGENT_SPENDING, { accountId: account_id, handle });
  if (!(await holdConnection(tx, payment))) return false;
  const dayStart = new Date(ctx.now);
  dayStart.setUTCHours(0, 0, 0, 0);
  const [spent] = await tx.run(TOTAL_RESERVED_TODAY, {
    accountId: account_id,
    handle,
    currency,
    id,
    dayStart,
  });
  if (most !== null && (spent?.minor ?? 0) + amount_minor > most) {
    fail(
      "state_conflict",
      `the payment would exceed the daily limit of ${amountText(most, currency)} per customer`,
    );
  }
  await tx.run(RESERVE_AGENT_PAYMENT, { accountId: account_id, id, now: ctx.now });
  return true;
}

// A concurrent revocation or reset of passkeys either commits first and is seen here, or waits and finds the payment
// ready.
async function makeReady(tx: Sql, ctx: Context, payment: AgentPaymentRow) {
  const isConnected = await holdConnection(tx, payment);
  const mayBeReady = isConnected && (await isStillApproved(tx, payment));
  const ready = mayBeReady ? await movePayment(tx, payment, { trigger: "minted", at: ctx.now }) : null;
  return { isConnected, ready };
}

const IS_AGENT_PAYMENT_APPROVED = plannedStatement(
  "is-agent-payment-approved",
  `select from agent_payments p
    join handle_connections c on c.account_id = p.account_id and c.provider = p.provider and c.handle = p.handle
  where p.account_id = :accountId and p.id = :paymentId
    and (p.approved_at is not null or (not :isApproved::boolean and c.approved_at is not null))`,
);

// A reset takes back the approval of the payment and the one of the connection, whichever the card was issued for.
async function isStillApproved(tx: Sql, payment: AgentPaymentRow): Promise<boolean> {
  const approved = await tx.run(IS_AGENT_PAYMENT_APPROVED, {
    accountId: payment.account_id,
    paymentId: payment.id,
    isApproved: payment.approved_at !== null,
  });
  return approved.length > 0;
}

const STORE_AGENT_PAYMENT_CARD = plannedStatement(
  "store-agent-payment-card",
  `update agent_payments set card_ref = :cardRef, card_closed_at = null where account_id = :accountId and id = :id returning 1`,
);

async function storeCard({ account_id, id }: AgentPaymentRow, cardRef: string): Promise<void> {
  const stored = await sql.run(STORE_AGENT_PAYMENT_CARD, { accountId: account_id, id, cardRef });
  if (stored.length === 0) fail("payment_request_not_found");
}
