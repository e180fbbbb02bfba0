import "server-only";
import { z } from "zod";
import {
  agentPaymentConditionFields,
  type ListedPayment,
  listAgentPayments,
} from "@/lib/payments/agent-payments/list-agent-payments";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { CSV_ROWS_MOST, type CsvRow, type CsvTable, csvPages } from "@/lib/platform/csv-table";

const PAGE_ROWS = 500;

// The links for the customer approve payments: they stay out of files.
const COLUMNS = [
  "payment_id",
  "status",
  "waits_for",
  "amount_cents",
  "currency",
  "amount_text",
  "description",
  "handle",
  "merchant_name",
  "merchant_url",
  "provider",
  "card",
  "created_at",
  "approved_at",
  "moved_at",
  "ended_at",
  "metadata",
];

export const ExportAgentPayments = contract({
  summary: "Export agent payments as CSV",
  tag: "Agent payments",
  right: "view_payments",
  query: z.object(agentPaymentConditionFields),
  status: 200,
  errors: ["parameter_invalid"],
});

/** What `listAgentPayments` finds as a table, the newest hundred thousand. Errors: parameter_invalid. */
export async function exportAgentPayments(
  ctx: Context,
  { query }: Pick<Input<typeof ExportAgentPayments>, "query">,
): Promise<CsvTable> {
  const read = async (cursor: string | undefined) => {
    const page = await listAgentPayments(ctx, { query: { ...query, cursor, limit: PAGE_ROWS } });
    return { items: page.payments, nextCursor: page.next_cursor };
  };
  return { filename: "agent-payments.csv", columns: COLUMNS, pages: csvPages(CSV_ROWS_MOST, read, toRow) };
}

function toRow(payment: ListedPayment): CsvRow {
  const { internal_id, merchant, metadata, approval_url: _, attach_url: __, id: ___, ...same } = payment;
  return {
    ...same,
    payment_id: internal_id,
    merchant_name: merchant.name,
    merchant_url: merchant.url,
    description: payment.description ?? null,
    status: payment.status ?? null,
    amount_cents: payment.amount_cents ?? null,
    currency: payment.currency ?? null,
    handle: payment.handle ?? null,
    metadata: Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata),
  };
}
