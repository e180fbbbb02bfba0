import "server-only";
import { z } from "zod";
import { agentPaymentConditionFields } from "@/lib/payments/agent-payments/list-payment-views";
import { MAX_TOTALED } from "@/lib/payments/totaled-payments";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { plannedStatement } from "@/lib/platform/database/statement";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { amountText, minorUnits } from "@/lib/platform/text/money";

const TIMEOUT_MS = 3000;

/** The totals of payments in one currency: requested and charged. */
export const PaymentTotal = z.object({
  currency: z.string(),
  count: z.int(),
  requested_text: z.string(),
  paid_count: z.int(),
  paid_text: z.string(),
});

export const TotalPayments = contract({
  summary: "Get totals of agent payments by currency",
  tag: "Agent payments",
  right: "view_payments",
  query: z.object(agentPaymentConditionFields),
  returns: z.object({ totals: z.array(PaymentTotal) }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

const TOTAL_PAYMENTS = plannedStatement(
  "total-payments",
  `select currency, count(*)::int as count, sum(amount_minor)::text as "requested!",
    (count(*) filter (where status = 'succeeded'))::int as paid_count,
    coalesce(sum(amount_minor) filter (where status = 'succeeded'), 0)::text as paid
  from (
    select currency, amount_minor, status from agent_payments
    where account_id = :accountId and (:handle::text is null or handle = :handle)
      and (cardinality(:texts::text[]) = 0 or status::text = any(:texts))
    order by id desc limit ${MAX_TOTALED}
  ) newest
  group by currency order by count(*) desc, currency`,
);

/** Totals the newest 10,000 matching agent payments by currency. Errors: parameter_invalid. */
export async function totalPayments(ctx: Context, { query }: Pick<Input<typeof TotalPayments>, "query">) {
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.run(TOTAL_PAYMENTS, {
      accountId: ctx.account.id,
      handle: query.handle ?? null,
      texts: query.status,
    }),
  );
  const totals = rows.map(({ requested, paid, ...row }) => ({
    ...row,
    requested_text: amountText(minorUnits(requested, row.currency), row.currency),
    paid_text: amountText(minorUnits(paid, row.currency), row.currency),
  }));
  return { totals };
}
