import "server-only";
import type { ChargeRequest } from "@/lib/adapters/card-providers/card-provider";
import { PAYMENT_COLUMNS } from "@/lib/payments/agent-payments/agent-payment";
import { isAllowedCharge } from "@/lib/payments/agent-payments/cards/allowed-charge";
import { recordCardEvent } from "@/lib/payments/agent-payments/cards/record-card-event";
import { isIdle } from "@/lib/payments/agent-payments/find-payment";
import { holdConnection } from "@/lib/payments/connections/handle-connection";
import { recordVendorEvent } from "@/lib/payments/processors/record-vendor-event";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

interface ChargeInput {
  provider: string;
  /** The id of the webhook event. A repeated event gets the same answer. */
  eventId: string;
  request: ChargeRequest;
}

/**
 * Whether a merchant may charge a card. A decision that takes too long counts as a decline. Approval makes the payment
 * `authorized` in the same transaction, so only one of several concurrent charges is approved, and none of a payment
 * that is ending or whose customer has withdrawn consent. A charge that was declined for being late is never approved
 * afterwards.
 */
export async function decideCharge(asked: ChargeInput): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    late.resolve(false);
  }, env().CHARGE_TIMEOUT_SECONDS * 1000);
  const decision = transaction(async (tx) => {
    const isApproved = await decide(tx, asked);
    if (isLate) throw new Error("the answer was due before the decision");
    // The decision is in time: from here on, the commit determines the answer.
    clearTimeout(timer);
    return isApproved;
  }).catch((error: unknown) => {
    log.warn(
      { err: error, cardRef: asked.request.cardRef },
      "a charge could not be evaluated and was declined",
    );
    return false;
  });
  const isApproved = await Promise.race([decision, late.promise]);
  clearTimeout(timer);
  return isApproved;
}

const FIND_PAYMENT_TO_CHARGE = plannedStatement(
  "find-payment-to-charge",
  `select ${PAYMENT_COLUMNS}, (
    select s.merchant_allow_list from agent_pay_settings s where s.account_id = p.account_id) as allow_list
  from agent_payments p where account_id = :accountId and provider = :provider and card_ref = :cardRef`,
);

const APPROVE_CHARGE = plannedStatement(
  "approve-charge",
  "update processor_events set is_approved = true where processor = :provider and event_id = :eventId",
);

async function decide(tx: Sql, { provider, eventId, request }: ChargeInput): Promise<boolean> {
  if (!(await recordVendorEvent(tx, provider, eventId))) return wasApproved(tx, provider, eventId);
  const [payment] = await tx.run(FIND_PAYMENT_TO_CHARGE, {
    accountId: request.accountId,
    provider,
    cardRef: request.cardRef,
  });
  const at = now();
  if (payment === undefined || payment.status !== "ready" || isIdle(payment, at)) return false;
  if (!isAllowedCharge(payment, request, payment.allow_list ?? [])) return false;
  if (!(await holdConnection(tx, payment))) return false;
  if (request.amountMinor > 0) {
    const { accountId, cardRef, chargeRef } = request;
    const authorized = { accountId, provider, cardRef, chargeRef, on: "authorized", at } as const;
    const moved = await recordCardEvent(tx, authorized);
    if (moved === null) return false;
  }
  await tx.run(APPROVE_CHARGE, { provider, eventId });
  return true;
}

const WAS_CHARGE_APPROVED = plannedStatement(
  "was-charge-approved",
  "select is_approved from processor_events where processor = :provider and event_id = :eventId",
);

async function wasApproved(tx: Sql, provider: string, eventId: string): Promise<boolean> {
  const [event] = await tx.run(WAS_CHARGE_APPROVED, { provider, eventId });
  return event?.is_approved ?? false;
}
