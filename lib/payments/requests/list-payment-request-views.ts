import "server-only";
import { z } from "zod";
import {
  PAYMENT_REQUEST_VIEW_COLUMNS,
  PaymentRequestView,
  type PaymentRequestViewRow,
  toPaymentRequestView,
} from "@/lib/payments/requests/payment-request-view";
import { paymentCondition, paymentConditionFields } from "@/lib/payments/requests/read/request-conditions";
import { MAX_TOTALED } from "@/lib/payments/totaled-payments";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countText, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";
import { formatAmount, minorUnits } from "@/lib/platform/text/money";

const TIMEOUT_MS = 3000;

export const ListPaymentRequestViews = contract({
  summary: "Search the payment requests of the account",
  tag: "Payment requests",
  right: "view_payments",
  query: z.object({
    ...paymentConditionFields,
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(1000, 50),
  }),
  returns: z.object({
    payment_requests: z.array(PaymentRequestView),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

export const TotalPaymentRequests = contract({
  summary: "Get totals of payment requests by currency",
  tag: "Payment requests",
  right: "view_payments",
  query: z.object(paymentConditionFields),
  returns: z.object({
    totals: z.array(
      z.object({
        currency: z.string(),
        count: z.int(),
        requested_text: z.string(),
        paid_count: z.int(),
        paid_text: z.string(),
      }),
    ),
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

const CursorKey = z.tuple([z.uuid()]);

/** Searches the account's requests, newest first. Errors: parameter_invalid, also for a search that takes too long. */
export async function listPaymentRequestViews(
  ctx: Context,
  { query }: Pick<Input<typeof ListPaymentRequestViews>, "query">,
) {
  const { cursor, limit, ...asked } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor, CursorKey)[0];
  const { text, parameters } = paymentCondition(ctx.account.id, asked);
  const matching = { text: `select from payment_requests r where ${text}`, values: [...parameters.values] };
  const further = after === null ? "" : `and r.id < ${parameters.add(after)}::uuid`;
  const most = parameters.add(limit + 1);
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.runText<PaymentRequestViewRow>({
      text: `select ${PAYMENT_REQUEST_VIEW_COLUMNS} from payment_requests r where ${text} ${further} order by r.id desc limit ${most}`,
      values: parameters.values,
    }),
  );

  const page = toPage(rows, limit, (row) => [row.id]);
  return {
    payment_requests: page.items.map(toPaymentRequestView),
    next_cursor: page.nextCursor,
    total: await totalOf(ctx, page, { cursor, count: countText(matching) }),
  };
}

interface TotalRow {
  currency: string;
  count: number;
  requested: string;
  paidCount: number;
  paid: string;
}

/** Totals the newest 10,000 matching requests by currency: requested and paid. Errors: parameter_invalid. */
export async function totalPaymentRequests(
  ctx: Context,
  { query }: Pick<Input<typeof TotalPaymentRequests>, "query">,
) {
  const { text, parameters } = paymentCondition(ctx.account.id, query);
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.runText<TotalRow>({
      text: `select r.currency, count(*)::int as count, sum(r.amount_minor)::text as requested,
               (count(*) filter (where r.status = 'succeeded'))::int as "paidCount",
               coalesce(sum(coalesce(r.charged_minor, r.amount_minor)) filter (where r.status = 'succeeded'), 0)::text as paid
             from (select * from payment_requests r where ${text} order by r.id desc limit ${MAX_TOTALED}) r
             group by r.currency order by count(*) desc, r.currency`,
      values: parameters.values,
    }),
  );
  const totals = rows.map(({ currency, count, requested, paidCount, paid }) => ({
    currency,
    count,
    requested_text: formatAmount(minorUnits(requested, currency), currency, "en"),
    paid_count: paidCount,
    paid_text: formatAmount(minorUnits(paid, currency), currency, "en"),
  }));
  return { totals };
}

/** Payment requests as CSV, without the checkout link, because anyone with the link can pay. */
export const exportPaymentRequests = exportOf(ListPaymentRequestViews, listPaymentRequestViews, {
  summary: "Export the payment requests of the account as CSV",
  filename: "payment-requests.csv",
  pageRows: 500,
  itemsOf: (page) => page.payment_requests,
  columns: {
    payment_request_id: ({ id }) => id,
    status: ({ status }) => status,
    mode: ({ mode }) => mode,
    amount: ({ amount }) => amount,
    currency: ({ currency }) => currency,
    amount_text: ({ amount_text }) => amount_text,
    description: ({ description }) => description,
    handle: ({ sent_to }) => sent_to[0]?.handle,
    chat_id: ({ sent_to }) => sent_to[0]?.chat_id,
    customer_id: ({ primary }) => primary?.customer_id,
    payment_intent_id: ({ primary }) => primary?.payment_intent_id,
    subscription_id: ({ primary }) => primary?.subscription_id,
    processor: ({ processor }) => processor,
    created_at: ({ created_at }) => created_at,
    expires_at: ({ expires_at }) => expires_at,
    paid_at: ({ paid_at }) => paid_at,
    metadata: ({ metadata }) => metadata && JSON.stringify(metadata),
  },
});
