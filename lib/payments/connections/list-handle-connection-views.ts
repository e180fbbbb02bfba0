import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { ConnectionStatus } from "@/lib/platform/prisma/enums";
import { commaList } from "@/lib/platform/text/comma-list";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle } from "@/lib/platform/text/phone-handle";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";

/** A customer in the dashboard. */
export const HandleConnectionView = z
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
  .meta({ id: "HandleConnectionView" });

export type HandleConnectionView = z.infer<typeof HandleConnectionView>;

/** The filters of the customer list. */
const connectionConditionFields = {
  status: commaList(z.enum(ConnectionStatus)),
  handle: z.string().transform(normalizeHandle).pipe(Handle).optional(),
};

export const ListHandleConnectionViews = contract({
  summary: "List connected customers",
  tag: "Agent payments",
  right: "view_payments",
  query: z.object({
    ...connectionConditionFields,
    cursor: z.string().check(maxUnits(600)).optional(),
    limit: limitParameter(1000, 50),
  }),
  returns: z.object({
    connections: z.array(HandleConnectionView),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

// A single status is compared by itself, because its rows are in order in an index.
const MATCHING = `account_id = :accountId and (:handle::text is null or handle = :handle)
  and (:status::connection_status is null or status = :status)
  and (cardinality(:statuses::connection_status[]) = 0 or status = any(:statuses))`;

const LIST_HANDLE_CONNECTIONS = plannedStatement(
  "list-handle-connections",
  `select c.*, used.* from (
    select handle, provider, status, connected_at, revoked_at, updated_at from handle_connections
    where ${MATCHING} and (:at::timestamptz is null or (updated_at, handle, provider) < (:at, :lastHandle, :lastProvider))
    order by updated_at desc, handle desc, provider desc limit :limit) c,
  lateral (
    select count(*)::int as payments, max(created_at) as last_paid_at from agent_payments p
    where p.account_id = :accountId and p.handle = c.handle and p.provider = c.provider and p.card_ref is not null
  ) used
  order by c.updated_at desc, c.handle desc, c.provider desc`,
);

const COUNT_HANDLE_CONNECTIONS = plannedStatement(
  "count-handle-connections",
  countSql(`select from handle_connections where ${MATCHING}`),
);

const Cursor = z.tuple([z.iso.datetime(), z.string(), z.string()]);

/** Lists the customers the account has asked for consent, most recently changed first. Errors: parameter_invalid. */
export async function listHandleConnectionViews(
  ctx: Context,
  { query }: Pick<Input<typeof ListHandleConnectionViews>, "query">,
) {
  const { handle, status, cursor, limit } = query;
  const [at, lastHandle, lastProvider] = cursor === undefined ? [] : decodeCursor(cursor, Cursor);
  const isSingle = status.length === 1;
  const matching = {
    accountId: ctx.account.id,
    handle,
    status: isSingle ? status[0] : null,
    statuses: isSingle ? [] : status,
  };
  const after = { at, lastHandle, lastProvider };
  const rows = await sql.run(LIST_HANDLE_CONNECTIONS, { ...matching, ...after, limit: limit + 1 });
  const page = toPage(rows, limit, (row) => [row.updated_at.toISOString(), row.handle, row.provider]);
  const total = await totalOf(ctx, page, {
    cursor,
    count: (tx) => tx.run(COUNT_HANDLE_CONNECTIONS, matching),
  });
  return { connections: page.items.map(toHandleConnectionView), next_cursor: page.nextCursor, total };
}

function toHandleConnectionView(row: RowOf<"list-handle-connections">): z.input<typeof HandleConnectionView> {
  return {
    ...row,
    connected_at: row.connected_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
    last_paid_at: row.last_paid_at?.toISOString() ?? null,
  };
}

/** Connected customers as CSV, most recently changed first. */
export const exportHandleConnections = exportOf(ListHandleConnectionViews, listHandleConnectionViews, {
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
