import "server-only";
import { z } from "zod";
import { findAgentPaySettings, limitsIn } from "@/lib/payments/agent-payments/agent-pay-settings";
import { findPayment } from "@/lib/payments/agent-payments/find-payment";
import { PaymentParams } from "@/lib/payments/agent-payments/get-payment";
import { ListedPayment, toListed } from "@/lib/payments/agent-payments/list-agent-payments";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";
import { amountText } from "@/lib/platform/money";

export const ShowAgentPayment = contract({
  summary: "Get an agent payment with its customer's spending",
  tag: "Agent payments",
  right: "view_payments",
  params: PaymentParams,
  returns: z.object({
    payment: ListedPayment,
    /** Of the customer's cards made on this UTC day, in the payment's currency. */
    spent_today: z.object({ cents: z.int(), text: z.string() }),
    /** What the account allows; null = no cap. */
    per_payment: z.object({ cents: z.int(), text: z.string() }).nullable(),
    per_day: z.object({ cents: z.int(), text: z.string() }).nullable(),
  }),
  status: 200,
  errors: ["payment_request_not_found", "access_denied"],
  extension: true,
});

/** One payment beside the account's caps. Errors: payment_request_not_found, access_denied. */
export async function showAgentPayment(
  ctx: Context,
  { params }: Pick<Input<typeof ShowAgentPayment>, "params">,
) {
  const row = await findPayment(ctx, params.paymentId);
  const [settings, cents] = await Promise.all([
    findAgentPaySettings(ctx.account.id),
    spentToday(ctx, row.handle, row.currency),
  ]);
  const sum = (value: number) => ({ cents: value, text: amountText(value, row.currency) });
  const cap = (value: number | null) => (value === null ? null : sum(value));
  const limits = limitsIn(settings, row.currency);
  return {
    payment: toListed(row, ctx),
    spent_today: sum(cents),
    per_payment: cap(limits.max_per_payment_cents),
    per_day: cap(limits.max_per_handle_day_cents),
  };
}

// As the cap counts it when a card is made.
async function spentToday(ctx: Context, handle: string, currency: string): Promise<number> {
  const dayStart = new Date(ctx.now);
  dayStart.setUTCHours(0, 0, 0, 0);
  const [spent] = await sql.query<{ cents: number }>({
    name: "agent-payments-spent-today",
    text: `select coalesce(sum(amount_minor), 0)::float8 as cents from agent_payments
           where account_id = $1 and handle = $2 and currency = $3 and reserved_at >= $4
             and status not in ('canceled', 'expired', 'declined')`,
    values: [ctx.account.id, handle, currency, dayStart],
  });
  return spent?.cents ?? 0;
}
