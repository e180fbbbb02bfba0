import "server-only";
import type { z } from "zod";
import type { Merchant, Processor } from "@/lib/adapters/processors/processor";
import { callProcessor } from "@/lib/payments/processors/call-processor";
import type { PaymentRequestBody } from "@/lib/payments/requests/create/payment-request-body";
import { fail } from "@/lib/platform/errors/errors";
import { type MinorUnits, minorUnits } from "@/lib/platform/text/money";

type Body = z.output<typeof PaymentRequestBody>;

const DAY_MS = 86_400_000;

/** The content of a request in the processor's terms. */
export interface PlannedPayment {
  amountMinor: MinorUnits;
  currency: string;
  interval: string | null;
  intervalCount: number | null;
  quantity: number | null;
  trialEnd: Date | null;
  expiresAt: Date;
}

/**
 * Checks the amount and the references of a body at the processor (currency, price, customer, discount), and computes its
 * times.
 * Errors: parameter_invalid, feature_not_available for a rail that the processor lacks, those of `callProcessor`.
 */
export async function planPayment(
  body: Body,
  { processor, merchant }: { processor: Processor; merchant: Merchant },
  at: Date,
): Promise<PlannedPayment> {
  if (body.rail === "secondary" && processor.secondaryRequestId === undefined) {
    fail("feature_not_available", "the connected processor has no secondary rail: omit rail");
  }
  const times = planTimes(body, at);
  const [price] = await Promise.all([
    planPrice(body, processor, merchant),
    checkCustomer(body, processor, merchant),
    checkDiscount(body, processor, merchant),
  ]);
  return { ...price, ...times };
}

function planTimes(body: Body, at: Date): Pick<PlannedPayment, "trialEnd" | "expiresAt"> {
  const days = body.trial_period_days;
  const given = body.trial_end === undefined ? null : new Date(body.trial_end);
  const trialEnd = days === undefined ? given : new Date(at.getTime() + days * DAY_MS);
  if (trialEnd !== null && trialEnd <= at) fail("parameter_invalid", "trial_end: must be in the future");

  const latest = trialEnd?.getTime() ?? Number.POSITIVE_INFINITY;
  const expiresAt = new Date(body.expires_at ?? Math.min(at.getTime() + DAY_MS, latest));
  if (expiresAt <= at) fail("parameter_invalid", "expires_at: must be in the future");
  if (expiresAt.getTime() > at.getTime() + 365 * DAY_MS) {
    fail("parameter_invalid", "expires_at: must be within a year");
  }
  if (expiresAt.getTime() > latest) fail("parameter_invalid", "expires_at: must not be after trial_end");
  return { trialEnd, expiresAt };
}

async function planPrice(body: Body, processor: Processor, merchant: Merchant) {
  const { amount, currency, price_id, quantity = 1 } = body;
  if (amount !== undefined && currency !== undefined) {
    const accepted = await callProcessor(processor.acceptsCurrency(merchant, currency));
    if (!accepted)
      fail("parameter_invalid", `currency: the processor account does not support "${currency}"`);
    const amountMinor = minorUnits(amount, currency);
    const refused = processor.refusedAmount(amountMinor, currency);
    if (refused !== null) fail("parameter_invalid", `amount: ${refused}`);
    return {
      amountMinor,
      currency,
      interval: null,
      intervalCount: null,
      quantity: null,
    };
  }
  const price = await callProcessor(processor.findPrice(merchant, price_id ?? ""));
  if (price === null || !price.isActive) {
    return fail("parameter_invalid", "price_id: the processor account has no such active recurring price");
  }
  const { interval, intervalCount, unitAmountMinor, currency: charged } = price;
  const amountMinor = minorUnits(unitAmountMinor * quantity, charged);
  return { amountMinor, currency: charged, interval, intervalCount, quantity };
}

async function checkCustomer({ customer_id }: Body, processor: Processor, merchant: Merchant): Promise<void> {
  if (customer_id === undefined) return;
  if (await callProcessor(processor.hasCustomer(merchant, customer_id))) return;
  fail("parameter_invalid", "customer_id: the processor account has no such customer");
}

async function checkDiscount({ discount }: Body, processor: Processor, merchant: Merchant): Promise<void> {
  if (discount === undefined) return;
  if (await callProcessor(processor.hasDiscount(merchant, discount))) return;
  fail("parameter_invalid", "discount: the processor account has no such active coupon or promotion code");
}
