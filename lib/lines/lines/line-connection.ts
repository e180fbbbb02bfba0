import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { type SealContext, seal, unseal } from "@/lib/platform/crypto";
import { type Sql, sql } from "@/lib/platform/db";

/** The seal context of a line's connection. */
export function lineConnectionContext(accountId: string, lineId: string): SealContext {
  return { purpose: "line-connection", row: { accountId, id: lineId } };
}

/**
 * Seals and stores the settings and secrets of a line's vendor connection and replaces earlier ones. A line of a
 * polling transport is polled immediately, from its last cursor. Returns false for a line that is unknown or was
 * released.
 */
export async function setLineConnection(
  { accountId, id }: Pick<LineRef, "accountId" | "id">,
  connection: Connection,
  on: Sql = sql,
): Promise<boolean> {
  const sealed = seal(JSON.stringify(connection), lineConnectionContext(accountId, id));
  const rows = await on.query({
    text: `update lines set connection = $3, poll_due_at = 'epoch', poll_failures = 0
           where account_id = $1 and id = $2 and released_at is null returning id`,
    values: [accountId, id, sealed],
  });
  on.wake("lines");
  return rows.length > 0;
}

/** Opens the sealed connection of a line. Throws UnreadableSecret. */
export function openConnection({ accountId, id }: LineRef, sealed: Uint8Array): Connection {
  return JSON.parse(unseal(sealed, lineConnectionContext(accountId, id)));
}

/**
 * Returns the connection of a line. Throws AdapterError `line_down` for a line without a connection, and
 * UnreadableSecret.
 */
export async function findConnection(line: LineRef): Promise<Connection> {
  const [row] = await sql.query<{ connection: Buffer | null }>({
    name: "find-line-connection",
    text: "select connection from lines where account_id = $1 and id = $2",
    values: [line.accountId, line.id],
  });
  if (row?.connection == null) throw new AdapterError("line_down", "the line is not connected to its vendor");
  return openConnection(line, row.connection);
}
