import "server-only";
import { z } from "zod";
import { sandboxVault } from "@/lib/adapters/card-providers/registry";
import { closeCards } from "@/lib/payments/agent-payments/cards/close-cards";
import { recordCardEvent } from "@/lib/payments/agent-payments/cards/record-card-event";
import { PaymentCurrency } from "@/lib/payments/agent-payments/payment-currency";
import { transaction } from "@/lib/platform/database/db";
import { minorUnits } from "@/lib/platform/text/money";
import { now } from "@/lib/platform/time/clock";

/** A charge that the sandbox's test merchant makes. */
export const ChargeTestCard = z.object({
  number: z.string().regex(/^\d{13,19}$/),
  cvc: z.string().regex(/^\d{3,4}$/),
  amount_cents: z.int().min(1),
  currency: PaymentCurrency,
  capture: z.boolean().default(true),
});

/** The test merchant's response: whether the money was captured, authorized or declined. */
export interface TestChargeAnswer {
  outcome: "captured" | "authorized" | "declined";
  reason: string | null;
}

/** Charges a sandbox card at the test merchant. Updates the payment and emits its events in the same transaction. */
export async function chargeTestCard(body: z.infer<typeof ChargeTestCard>): Promise<TestChargeAnswer> {
  const { amount_cents, ...charge } = body;
  const result = await transaction(async (tx) => {
    const charged = await sandboxVault.charge(tx, {
      ...charge,
      amountMinor: minorUnits(amount_cents, charge.currency),
    });
    if (charged.accountId === null) return charged;
    const { accountId, cardRef } = charged;
    for (const on of charged.events) {
      await recordCardEvent(tx, { accountId, provider: sandboxVault.provider, cardRef, on, at: now() });
    }
    return charged;
  });

  if (result.accountId !== null) await closeCards(result.accountId);
  if (result.reason !== null) return { outcome: "declined", reason: result.reason };
  return { outcome: body.capture ? "captured" : "authorized", reason: null };
}
