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
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { commaList } from "@/lib/platform/text/comma-list";
import { maxUnits } from "@/lib/platform/text/max-units";
import { amountText } from "@/lib/platform/text/money";
import { Handle } from "@/lib/platform/text/phone-handle";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";

/** A payment in the dashboard. It has an id before its card is issued. */
export const PaymentView = Payment.extend({
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
}).meta({ id: "PaymentView" });

export type PaymentView = z.infer<typeof PaymentView>;

/** The filters of the payment list. */
export const agentPaymentConditionFields = {
  status: commaList(z.enum(PAYMENT_STATUSES)),
  handle: z.string().transform(normalizeHandle).pipe(Handle).optional(),
};

export const ListPaymentViews = contract({
  summary: "List agent payments",
  tag: "Agent payments",
  right: "view_payments",
  query: z.object({
    ...agentPaymentConditionFields,
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(1000, 50),
  }),
  returns: z.object({
    payments: z.array(PaymentView),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

// Without a cursor, the page starts above the highest possible id.
const BEFORE = "id < coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')";

// Separate statements, so that each gets the plan for its own index.
const LIST_AGENT_PAYMENTS = plannedStatement(
  "list-agent-payments",
  `select ${PAYMENT_COLUMNS} from agent_payments
  where account_id = :accountId and ${BEFORE} order by id desc limit :limit`,
);

// One ordered lookup for each status, so that a page reads at most `limit` rows per status.
const LIST_AGENT_PAYMENTS_OF_STATUS = plannedStatement(
  "list-agent-payments-of-status",
  `select p.* from unnest(:statuses::agent_payment_status[]) as s(status), lateral (
    select ${PAYMENT_COLUMNS} from agent_payments
    where account_id = :accountId and status = s.status and ${BEFORE}
    order by id desc limit :limit) p
  order by p.id desc limit :limit`,
);

// For a handle, the status is compared as text, so that the planner can use only the index on handles.
const OF_HANDLE = `account_id = :accountId and handle = :handle
  and (cardinality(:statuses::text[]) = 0 or status::text = any(:statuses::text[]))`;

const LIST_AGENT_PAYMENTS_OF_HANDLE = plannedStatement(
  "list-agent-payments-of-handle",
  `select ${PAYMENT_COLUMNS} from agent_payments where ${OF_HANDLE} and ${BEFORE} order by id desc limit :limit`,
);

const COUNT_AGENT_PAYMENTS = plannedStatement(
  "count-agent-payments",
  countSql(`select from agent_payments where account_id = :accountId
    and (cardinality(:statuses::agent_payment_status[]) = 0 or status = any(:statuses::agent_payment_status[]))`),
);

const COUNT_AGENT_PAYMENTS_OF_HANDLE = plannedStatement(
  "count-agent-payments-of-handle",
  countSql(`select from agent_payments where ${OF_HANDLE}`),
);

type Query = Input<typeof ListPaymentViews>["query"];

/** Lists the account's agent payments, newest first. Errors: parameter_invalid. */
export async function listPaymentViews(ctx: Context, { query }: { query: Query }) {
  const rows = await readPage(ctx, query);
  const page = toPage(rows, query.limit, (row) => [row.id]);
  const total = await totalOf(ctx, page, { cursor: query.cursor, count: (tx) => count(tx, ctx, query) });
  return { payments: page.items.map((row) => toPaymentView(row, ctx)), next_cursor: page.nextCursor, total };
}

function readPage(
  ctx: Context,
  { status: statuses, handle, cursor, limit }: Query,
): Promise<AgentPaymentRow[]> {
  const before = cursor === undefined ? null : decodeCursor(cursor, z.tuple([z.uuid()]))[0];
  const page = { accountId: ctx.account.id, before, limit: limit + 1 };
  if (handle !== undefined) return sql.run(LIST_AGENT_PAYMENTS_OF_HANDLE, { ...page, handle, statuses });
  if (statuses.length === 0) return sql.run(LIST_AGENT_PAYMENTS, page);
  return sql.run(LIST_AGENT_PAYMENTS_OF_STATUS, { ...page, statuses });
}

function count(tx: Sql, ctx: Context, { status: statuses, handle }: Query) {
  const accountId = ctx.account.id;
  if (handle === undefined) return tx.run(COUNT_AGENT_PAYMENTS, { accountId, statuses });
  return tx.run(COUNT_AGENT_PAYMENTS_OF_HANDLE, { accountId, handle, statuses });
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
export function toPaymentView(row: AgentPaymentRow, reader: Context): z.input<typeof PaymentView> {
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
export const exportPayments = exportOf(ListPaymentViews, listPaymentViews, {
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
