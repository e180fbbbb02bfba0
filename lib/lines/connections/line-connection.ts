import "server-only";
import { isDeepStrictEqual } from "node:util";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { throughputsOf } from "@/lib/lines/connections/line-throughput";
import { type SealContext, seal, unseal } from "@/lib/platform/crypto/crypto";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";

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
    text: `update lines set connection = $3, poll_due_at = 'epoch', poll_failures = 0, poll_lease_until = null,
             connections_made = connections_made + 1, connection_number = connections_made + 1,
             sends_per_second = ($4::jsonb ->> transport)::float8, next_send_at = null
           where account_id = $1 and id = $2 and released_at is null returning id`,
    values: [accountId, id, sealed, throughputsOf(connection)],
  });
  on.wake("lines");
  return rows.length > 0;
}

/** Opens the sealed connection of a line. Throws UnreadableSecret. */
export function openConnection({ accountId, id }: LineRef, sealed: Uint8Array): Connection {
  return JSON.parse(unseal(sealed, lineConnectionContext(accountId, id)));
}

/**
 * Returns the connection of a line. Throws AdapterError `line_down` for a line without a connection, or with another one
 * than that of the reference, and UnreadableSecret.
 */
export async function findConnection(line: LineRef): Promise<Connection> {
  const [row] = await sql.query<{ connection: Buffer | null }>({
    name: "find-line-connection",
    text: `select connection from lines
           where account_id = $1 and id = $2 and connection_number = coalesce($3, connection_number)`,
    values: [line.accountId, line.id, line.connectionNumber ?? null],
  });
  if (row === undefined) throw new AdapterError("line_down", "the line uses another connection now");
  if (row.connection === null) throw new AdapterError("line_down", "the line is not connected to its vendor");
  return openConnection(line, row.connection);
}

/**
 * Adds settings that the transport obtained to a line's connection, sealed like the others. Returns false, and changes
 * nothing, when the connection is no longer `was`, so a secret of an earlier connection never reaches the next one.
 */
export async function extendLineConnection(
  line: LineRef,
  was: Connection,
  added: Connection,
): Promise<boolean> {
  return transaction(async (tx) => {
    const [row] = await tx.query<{ connection: Buffer | null }>({
      name: "lock-line-connection",
      text: "select connection from lines where account_id = $1 and id = $2 and released_at is null for update",
      values: [line.accountId, line.id],
    });
    if (row?.connection == null || !isDeepStrictEqual(openConnection(line, row.connection), was))
      return false;
    const connection = JSON.stringify({ ...was, ...added });
    await tx.query({
      name: "extend-line-connection",
      text: "update lines set connection = $3 where account_id = $1 and id = $2",
      values: [line.accountId, line.id, seal(connection, lineConnectionContext(line.accountId, line.id))],
    });
    return true;
  });
}

/** Makes the line's vendor be polled immediately, also when a poll is in progress. */
export async function pollLineNow({ accountId, id }: Pick<LineRef, "accountId" | "id">): Promise<void> {
  await sql.query({
    name: "poll-line-now",
    text: "update lines set poll_due_at = 'epoch' where account_id = $1 and id = $2 and poll_due_at <> 'epoch'",
    values: [accountId, id],
  });
  sql.wake("lines");
}

/** Whether the line still has the connection with this number. */
export async function isCurrentConnection(
  { accountId, id }: Pick<LineRef, "accountId" | "id">,
  connectionNumber: number,
): Promise<boolean> {
  const rows = await sql.query({
    name: "is-current-connection",
    text: "select 1 from lines where account_id = $1 and id = $2 and connection_number = $3",
    values: [accountId, id, connectionNumber],
  });
  return rows.length > 0;
}
