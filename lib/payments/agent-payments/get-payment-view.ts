import "server-only";
import { z } from "zod";
import { findAgentPaySettings, limitsIn } from "@/lib/payments/agent-payments/agent-pay-settings";
import { findPayment } from "@/lib/payments/agent-payments/find-payment";
import { PaymentParams } from "@/lib/payments/agent-payments/get-payment";
import { PaymentView, toPaymentView } from "@/lib/payments/agent-payments/list-payment-views";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { amountText, type MinorUnits, minorUnits } from "@/lib/platform/text/money";

/** An amount in minor units and as formatted text. */
const Sum = z.object({ minor: z.int(), text: z.string() });

export const GetPaymentView = contract({
  summary: "Get an agent payment with its customer's spending",
  tag: "Agent payments",
  right: "view_payments",
  params: PaymentParams,
  returns: z.object({
    payment: PaymentView,
    /** The total of the customer's cards issued on this UTC day, in the payment's currency. */
    spent_today: Sum,
    /** The account's limits. null = no limit. */
    per_payment: Sum.nullable(),
    per_day: Sum.nullable(),
  }),
  status: 200,
  errors: ["payment_request_not_found", "access_denied"],
  extension: true,
});

/** Returns a payment with the account's limits. Errors: payment_request_not_found, access_denied. */
export async function getPaymentView(ctx: Context, { params }: Pick<Input<typeof GetPaymentView>, "params">) {
  const row = await findPayment(ctx, params.paymentId);
  const [settings, spent] = await Promise.all([
    findAgentPaySettings(ctx.account.id),
    spentToday(ctx, row.handle, row.currency),
  ]);
  const sum = (minor: MinorUnits) => ({ minor, text: amountText(minor, row.currency) });
  const cap = (value: MinorUnits | null) => (value === null ? null : sum(value));
  const limits = limitsIn(settings, row.currency);
  return {
    payment: toPaymentView(row, ctx),
    spent_today: sum(spent),
    per_payment: cap(limits.perPaymentMinor),
    per_day: cap(limits.perHandleDayMinor),
  };
}

const AGENT_PAYMENTS_SPENT_TODAY = statement(
  "agent-payments-spent-today",
  `select coalesce(sum(amount_minor), 0)::float8 as minor from agent_payments
  where account_id = :accountId and handle = :handle and currency = :currency and reserved_at >= :dayStart
    and status not in ('canceled', 'expired', 'declined')`,
);

// Calculated like the daily limit when a card is issued.
async function spentToday(ctx: Context, handle: string, currency: string): Promise<MinorUnits> {
  const dayStart = new Date(ctx.now);
  dayStart.setUTCHours(0, 0, 0, 0);
  const [spent] = await sql.run(AGENT_PAYMENTS_SPENT_TODAY, {
    accountId: ctx.account.id,
    handle,
    currency,
    dayStart,
  });
  return minorUnits(spent?.minor ?? 0, currency);
}
