import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { ConnectionStatus } from "@/lib/platform/prisma/enums";
import { commaList } from "@/lib/platform/text/comma-list";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle } from "@/lib/platform/text/phone-handle";

/** A customer in the dashboard. */
export const ListedConnection = z
  .object({
    handle: z.string(),
    provider: z.string(),
    status: z.enum(ConnectionStatus),
    connected_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime(),
    /** The number of payments with an issued card, and the creation time of the latest one. */
    payments: z.int(),
    last_paid_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "ListedConnection" });

export type ListedConnection = z.infer<typeof ListedConnection>;

/** The filters of the customer list. */
const connectionConditionFields = {
  status: commaList(z.enum(ConnectionStatus)),
  handle: Handle.optional(),
};

export const ListHandleConnections = contract({
  summary: "List connected customers",
  tag: "Agent payments",
  right: "view_payments",
  query: z.object({
    ...connectionConditionFields,
    cursor: z.string().check(maxUnits(600)).optional(),
    limit: limitParameter(1000, 50),
  }),
  returns: z.object({
    connections: z.array(ListedConnection),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

interface Row {
  handle: string;
  provider: string;
  status: ConnectionStatus;
  connected_at: Date | null;
  revoked_at: Date | null;
  updated_at: Date;
  payments: number;
  last_paid_at: Date | null;
}

/** SQL for the matching rows. A single status is compared by itself, because its rows are in order in an index. */
function matching(status: readonly string[]): string {
  const ofStatus = {
    none: "cardinality($3::text[]) = 0",
    one: "status = ($3::text[])[1]::connection_status",
    several: "status = any($3::text[]::connection_status[])",
  };
  const size = status.length === 0 ? "none" : status.length === 1 ? "one" : "several";
  return `account_id = $1 and ($2::text is null or handle = $2) and ${ofStatus[size]}`;
}

const Cursor = z.tuple([z.iso.datetime(), z.string(), z.string()]);

/** Lists the customers the account has asked for consent, most recently changed first. Errors: parameter_invalid. */
export async function listHandleConnections(
  ctx: Context,
  { query }: Pick<Input<typeof ListHandleConnections>, "query">,
) {
  const after = query.cursor === undefined ? [null, null, null] : decodeCursor(query.cursor, Cursor);
  const values = [ctx.account.id, query.handle ?? null, query.status];
  const where = matching(query.status);
  const rows = await sql.query<Row>({
    text: `select c.*, used.* from (
             select handle, provider, status::text as status, connected_at, revoked_at, updated_at
             from handle_connections
             where ${where} and ($4::timestamptz is null or (updated_at, handle, provider) < ($4, $5, $6))
             order by updated_at desc, handle desc, provider desc limit $7) c,
             lateral (
               select count(*)::int as payments, max(created_at) as last_paid_at from agent_payments p
               where p.account_id = $1 and p.handle = c.handle and p.provider = c.provider and p.card_ref is not null
             ) used
           order by c.updated_at desc, c.handle desc, c.provider desc`,
    values: [...values, ...after, query.limit + 1],
  });
  const page = toPage(rows, query.limit, (row) => [row.updated_at.toISOString(), row.handle, row.provider]);
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    rows: { text: `select from handle_connections where ${where}`, values },
  });
  return { connections: page.items.map(toListed), next_cursor: page.nextCursor, total };
}

function toListed(row: Row): z.input<typeof ListedConnection> {
  return {
    ...row,
    connected_at: row.connected_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
    last_paid_at: row.last_paid_at?.toISOString() ?? null,
  };
}

/** Connected customers as CSV, most recently changed first. */
export const exportHandleConnections = exportOf(ListHandleConnections, listHandleConnections, {
  summary: "Export connected customers as CSV",
  filename: "connected-customers.csv",
  pageRows: 500,
  itemsOf: (page) => page.connections,
  columns: {
    handle: ({ handle }) => handle,
    provider: ({ provider }) => provider,
    status: ({ status }) => status,
    connected_at: ({ connected_at }) => connected_at,
    revoked_at: ({ revoked_at }) => revoked_at,
    updated_at: ({ updated_at }) => updated_at,
    payments: ({ payments }) => payments,
    last_paid_at: ({ last_paid_at }) => last_paid_at,
  },
});
