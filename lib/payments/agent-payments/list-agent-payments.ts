import "server-only";
import { z } from "zod";
import { PAYMENT_STATUSES } from "@/lib/payments/agent-payments/advance/payment-state";
import {
  type AgentPaymentRow,
  PAYMENT_COLUMNS,
  Payment,
  toPayment,
} from "@/lib/payments/agent-payments/agent-payment";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Statement, sql } from "@/lib/platform/database/db";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { commaList } from "@/lib/platform/text/comma-list";
import { maxUnits } from "@/lib/platform/text/max-units";
import { amountText } from "@/lib/platform/text/money";
import { Handle } from "@/lib/platform/text/phone-handle";

/** A payment in the dashboard. It has an id before its card is issued. */
export const ListedPayment = Payment.extend({
  internal_id: z.uuid(),
  /** Formatted: $42.00. */
  amount_text: z.string(),
  merchant: z.object({ name: z.string().nullable(), url: z.string().nullable() }),
  metadata: z.record(z.string(), z.string()),
  provider: z.string(),
  /** The party whose action the payment waits for; null when it waits for none. */
  waits_for: z.enum(["agent", "customer", "merchant"]).nullable(),
  /** The status of the card. null before it is issued. */
  card: z.enum(["open", "closed"]).nullable(),
  approved_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  moved_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
}).meta({ id: "ListedPayment" });

export type ListedPayment = z.infer<typeof ListedPayment>;

/** The filters of the payment list. */
export const agentPaymentConditionFields = {
  status: commaList(z.enum(PAYMENT_STATUSES)),
  handle: Handle.optional(),
};

export const ListAgentPayments = contract({
  summary: "List agent payments",
  tag: "Agent payments",
  right: "view_payments",
  query: z.object({
    ...agentPaymentConditionFields,
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(1000, 50),
  }),
  returns: z.object({
    payments: z.array(ListedPayment),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

// Without a cursor, the page starts above the highest possible id.
const BEFORE = "id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')";

const ALL = `select ${PAYMENT_COLUMNS} from agent_payments
  where account_id = $1 and ${BEFORE} order by id desc limit $2`;

// One ordered lookup for each status, so that a page reads at most `limit` rows per status.
const OF_STATUS = `select p.* from unnest($4::text[]) as s(status), lateral (
    select ${PAYMENT_COLUMNS} from agent_payments
    where account_id = $1 and status = s.status::agent_payment_status and ${BEFORE}
    order by id desc limit $2) p
  order by p.id desc limit $2`;

const OF_HANDLE = `select ${PAYMENT_COLUMNS} from agent_payments
  where account_id = $1 and handle = $5 and ${BEFORE} and status::text = any($4::text[])
  order by id desc limit $2`;

type Query = Input<typeof ListAgentPayments>["query"];

// Separate statements, so that each gets the plan for its own index.
function statementOf(ctx: Context, { status, handle, limit }: Query, before: string | null): Statement {
  const values = [ctx.account.id, limit + 1, before];
  const isAnyStatus = status === undefined || status.length === 0;
  const statuses = isAnyStatus ? [...PAYMENT_STATUSES] : status;
  if (handle !== undefined) return { text: OF_HANDLE, values: [...values, statuses, handle] };
  return isAnyStatus ? { text: ALL, values } : { text: OF_STATUS, values: [...values, statuses] };
}

// For a handle, the status is compared as text, so that the planner can use only the index on handles.
function matchingRows(ctx: Context, { status, handle }: Query): Statement {
  const ofStatus =
    handle === undefined
      ? "status = any($3::text[]::agent_payment_status[])"
      : "status::text = any($3::text[])";
  const text = `select from agent_payments where account_id = $1
    and ${handle === undefined ? "$2::text is null" : "handle = $2"}
    and ${status.length === 0 ? "cardinality($3::text[]) = 0" : ofStatus}`;
  return { text, values: [ctx.account.id, handle ?? null, status] };
}

/** Lists the account's agent payments, newest first. Errors: parameter_invalid. */
export async function listAgentPayments(
  ctx: Context,
  { query }: Pick<Input<typeof ListAgentPayments>, "query">,
) {
  const before = query.cursor === undefined ? null : decodeCursor(query.cursor, z.tuple([z.uuid()]))[0];
  const rows = await sql.query<AgentPaymentRow>(statementOf(ctx, query, before));
  const page = toPage(rows, query.limit, (row) => [row.id]);
  const total = await totalOf(ctx, page, { cursor: query.cursor, rows: matchingRows(ctx, query) });
  return { payments: page.items.map((row) => toListed(row, ctx)), next_cursor: page.nextCursor, total };
}

const WAITS_FOR = {
  needs_connection: "agent",
  connecting: "customer",
  awaiting_user_action: "customer",
  ready: "agent",
  authorized: "merchant",
  succeeded: null,
  declined: null,
  canceled: null,
  expired: null,
} as const satisfies Record<(typeof PAYMENT_STATUSES)[number], "agent" | "customer" | "merchant" | null>;

/** Converts a payment for the dashboard. */
export function toListed(row: AgentPaymentRow, reader: Context): z.input<typeof ListedPayment> {
  return {
    ...toPayment(row, reader),
    internal_id: row.id,
    amount_text: amountText(row.amount_minor, row.currency),
    merchant: { name: row.merchant_name, url: row.merchant_url },
    metadata: row.metadata,
    provider: row.provider,
    waits_for: WAITS_FOR[row.status],
    card: cardOf(row),
    approved_at: row.approved_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    moved_at: row.moved_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

// The card of an ended payment counts as closed: the provider closes it immediately, or the sweep closes it later.
function cardOf({ card_ref, ended_at }: AgentPaymentRow): "open" | "closed" | null {
  if (card_ref === null) return null;
  return ended_at === null ? "open" : "closed";
}

/** Agent payments as CSV, without the customer's links, because anyone with a link can act on the payment. */
export const exportAgentPayments = exportOf(ListAgentPayments, listAgentPayments, {
  summary: "Export agent payments as CSV",
  filename: "agent-payments.csv",
  pageRows: 500,
  itemsOf: (page) => page.payments,
  columns: {
    payment_id: ({ internal_id }) => internal_id,
    status: ({ status }) => status,
    waits_for: ({ waits_for }) => waits_for,
    amount_cents: ({ amount_cents }) => amount_cents,
    currency: ({ currency }) => currency,
    amount_text: ({ amount_text }) => amount_text,
    description: ({ description }) => description,
    handle: ({ handle }) => handle,
    merchant_name: ({ merchant }) => merchant.name,
    merchant_url: ({ merchant }) => merchant.url,
    provider: ({ provider }) => provider,
    card: ({ card }) => card,
    created_at: ({ created_at }) => created_at,
    approved_at: ({ approved_at }) => approved_at,
    moved_at: ({ moved_at }) => moved_at,
    ended_at: ({ ended_at }) => ended_at,
    metadata: ({ metadata }) => (Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata)),
  },
});
