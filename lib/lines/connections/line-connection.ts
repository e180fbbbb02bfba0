import "server-only";
import { isDeepStrictEqual } from "node:util";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Connection } from "@/lib/adapters/transports/callback";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { throughputsOf } from "@/lib/lines/connections/line-throughput";
import { type SealContext, seal, unseal } from "@/lib/platform/crypto/crypto";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";

/** The seal context of a line's connection. */
export function lineConnectionContext(accountId: string, lineId: string): SealContext {
  return { purpose: "line-connection", row: { accountId, id: lineId } };
}

const SET_LINE_CONNECTION = plannedStatement(
  "set-line-connection",
  `update lines set connection = :sealed, poll_due_at = 'epoch', poll_failures = 0, poll_lease_until = null,
    connections_made = connections_made + 1, connection_number = connections_made + 1,
    sends_per_second = (:throughputsOf::jsonb ->> transport)::float8, next_send_at = null
  where account_id = :accountId and id = :id and released_at is null returning id`,
);

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
  const rows = await on.run(SET_LINE_CONNECTION, {
    accountId,
    id,
    sealed,
    throughputsOf: throughputsOf(connection),
  });
  on.wake("lines");
  return rows.length > 0;
}

/** Opens the sealed connection of a line. Throws UnreadableSecret. */
export function openConnection({ accountId, id }: LineRef, sealed: Uint8Array): Connection {
  return JSON.parse(unseal(sealed, lineConnectionContext(accountId, id)));
}

const FIND_LINE_CONNECTION = statement(
  "find-line-connection",
  `select connection from lines
  where account_id = :accountId and id = :lineId and connection_number = coalesce(:connectionNumber, connection_number)`,
);

/**
 * Returns the connection of a line. Throws AdapterError `line_down` for a line without a connection, or with another one
 * than that of the reference, and UnreadableSecret.
 */
export async function findConnection(line: LineRef): Promise<Connection> {
  const [row] = await sql.run(FIND_LINE_CONNECTION, {
    accountId: line.accountId,
    lineId: line.id,
    connectionNumber: line.connectionNumber ?? null,
  });
  if (row === undefined) throw new AdapterError("line_down", "the line uses another connection now");
  if (row.connection === null) throw new AdapterError("line_down", "the line is not connected to its vendor");
  return openConnection(line, row.connection);
}

const LOCK_LINE_CONNECTION = statement(
  "lock-line-connection",
  "select connection from lines where account_id = :accountId and id = :lineId and released_at is null for update",
);

const EXTEND_LINE_CONNECTION = statement(
  "extend-line-connection",
  "update lines set connection = :seal where account_id = :accountId and id = :lineId",
);

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
    const [row] = await tx.run(LOCK_LINE_CONNECTION, { accountId: line.accountId, lineId: line.id });
    if (row?.connection == null || !isDeepStrictEqual(openConnection(line, row.connection), was))
      return false;
    const connection = JSON.stringify({ ...was, ...added });
    await tx.run(EXTEND_LINE_CONNECTION, {
      accountId: line.accountId,
      lineId: line.id,
      seal: seal(connection, lineConnectionContext(line.accountId, line.id)),
    });
    return true;
  });
}

const POLL_LINE_NOW = statement(
  "poll-line-now",
  "update lines set poll_due_at = 'epoch' where account_id = :accountId and id = :id and poll_due_at <> 'epoch'",
);

/** Makes the line's vendor be polled immediately, also when a poll is in progress. */
export async function pollLineNow({ accountId, id }: Pick<LineRef, "accountId" | "id">): Promise<void> {
  await sql.run(POLL_LINE_NOW, { accountId, id });
  sql.wake("lines");
}

const IS_CURRENT_CONNECTION = statement(
  "is-current-connection",
  "select 1 from lines where account_id = :accountId and id = :id and connection_number = :connectionNumber",
);

/** Whether the line still has the connection with this number. */
export async function isCurrentConnection(
  { accountId, id }: Pick<LineRef, "accountId" | "id">,
  connectionNumber: number,
): Promise<boolean> {
  const rows = await sql.run(IS_CURRENT_CONNECTION, { accountId, id, connectionNumber });
  return rows.length > 0;
}
