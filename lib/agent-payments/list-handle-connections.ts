import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/page";
import { ConnectionStatus } from "@/lib/platform/prisma/enums";

const ListedConnection = z
  .object({
    handle: z.string(),
    provider: z.string(),
    status: z.enum(ConnectionStatus),
    connected_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "ListedConnection" });

export type ListedConnection = z.infer<typeof ListedConnection>;

export const ListHandleConnections = contract({
  summary: "List connected customers",
  tag: "Agent payments",
  query: z.object({ cursor: z.string().max(600).optional(), limit: limitParameter(100, 50) }),
  returns: z.object({ connections: z.array(ListedConnection), next_cursor: z.string().nullable() }),
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
}

const Cursor = z.tuple([z.iso.datetime(), z.string(), z.string()]);

/** The account's customers who were asked for consent, the last changed first. Errors: parameter_invalid. */
export async function listHandleConnections(
  ctx: Context,
  { query }: Pick<Input<typeof ListHandleConnections>, "query">,
) {
  const after = query.cursor === undefined ? [null, null, null] : decodeCursor(query.cursor, Cursor);
  const rows = await sql.query<Row>({
    text: `select handle, provider, status::text as status, connected_at, revoked_at, updated_at
           from handle_connections
           where account_id = $1 and ($2::timestamptz is null or (updated_at, handle, provider) < ($2, $3, $4))
           order by updated_at desc, handle desc, provider desc limit $5`,
    values: [ctx.account.id, ...after, query.limit + 1],
  });
  const page = toPage(rows, query.limit, (row) => [row.updated_at.toISOString(), row.handle, row.provider]);
  return { connections: page.items.map(toListed), next_cursor: page.nextCursor };
}

function toListed(row: Row): z.input<typeof ListedConnection> {
  return {
    ...row,
    connected_at: row.connected_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
  };
}
