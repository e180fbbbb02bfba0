import "server-only";
import { z } from "zod";
import { paymentConditionFields } from "@/lib/payments/requests/request-conditions";
import { searchPaymentRequests } from "@/lib/payments/requests/search-payment-requests";
import type { ShownPaymentRequest } from "@/lib/payments/requests/shown-payment-request";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { CSV_ROWS_MOST, type CsvRow, type CsvTable, csvPages } from "@/lib/platform/csv-table";

const PAGE_ROWS = 500;

// The link is a secret that pays: it stays out of files.
const COLUMNS = [
  "payment_request_id",
  "status",
  "mode",
  "amount",
  "currency",
  "amount_text",
  "description",
  "handle",
  "chat_id",
  "customer_id",
  "payment_intent_id",
  "subscription_id",
  "processor",
  "created_at",
  "expires_at",
  "paid_at",
  "metadata",
];

export const ExportPaymentRequests = contract({
  summary: "Export the payment requests of the account as CSV",
  tag: "Payment requests",
  right: "view_payments",
  query: z.object(paymentConditionFields),
  status: 200,
  errors: ["parameter_invalid"],
});

/** What `searchPaymentRequests` finds as a table, the newest hundred thousand. Errors: parameter_invalid. */
export async function exportPaymentRequests(
  ctx: Context,
  { query }: Pick<Input<typeof ExportPaymentRequests>, "query">,
): Promise<CsvTable> {
  const read = async (cursor: string | undefined) => {
    const page = await searchPaymentRequests(ctx, { query: { ...query, cursor, limit: PAGE_ROWS } });
    return { items: page.payment_requests, nextCursor: page.next_cursor };
  };
  return { filename: "payment-requests.csv", columns: COLUMNS, pages: csvPages(CSV_ROWS_MOST, read, toRow) };
}

function toRow(request: ShownPaymentRequest): CsvRow {
  const { id, status, mode, amount, currency, amount_text, processor, created_at, primary } = request;
  const [sent] = request.sent_to;
  return {
    payment_request_id: id,
    status,
    mode,
    amount,
    currency,
    amount_text,
    processor,
    created_at,
    description: request.description ?? null,
    handle: sent?.handle ?? null,
    chat_id: sent?.chat_id ?? null,
    customer_id: primary?.customer_id ?? null,
    payment_intent_id: primary?.payment_intent_id ?? null,
    subscription_id: primary?.subscription_id ?? null,
    expires_at: request.expires_at ?? null,
    paid_at: request.paid_at ?? null,
    metadata: request.metadata === undefined ? null : JSON.stringify(request.metadata),
  };
}
