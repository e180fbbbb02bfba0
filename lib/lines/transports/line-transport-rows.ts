import "server-only";
import type { Connection } from "@/lib/adapters/transports/callback";
import { allTransports } from "@/lib/adapters/transports/registry";
import type { Transport } from "@/lib/adapters/transports/transport";
import { lineConnectionContext } from "@/lib/lines/connections/line-connection";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { type SealContext, seal, unseal } from "@/lib/platform/crypto/crypto";
import { type Sql, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** The connection in use of a line. */
export type ActiveRow = RowOf<"read-line-transport">;

/** Another connection in the failover order of a line. */
export type StandbyRow = RowOf<"read-line-standbys">;

const ACTIVE = statement(
  "read-line-transport",
  `select id, phone_number, transport, connection, connection_number, connections_made,
    transport_position, failover_seconds, poll_cursor, is_up, down_reason, down_since
  from lines where account_id = :accountId and id = :lineId and released_at is null`,
);

/** The connection in use of a line. Errors: line_not_found, access_denied. */
export async function readActive(ctx: Context, lineId: string): Promise<ActiveRow> {
  const [row] = await sql.run(ACTIVE, { accountId: ctx.account.id, lineId });
  return row ?? throwNotFoundOrDenied(ctx, lineId);
}

const LOCK_LINE_TRANSPORT = statement("lock-line-transport", `${ACTIVE.source} for no key update`);

/** As `readActive`, and locks the line until the end of the transaction. */
export async function lockActive(tx: Sql, accountId: string, lineId: string): Promise<ActiveRow | null> {
  const [row] = await tx.run(LOCK_LINE_TRANSPORT, { accountId, lineId });
  return row ?? null;
}

const READ_LINE_STANDBYS = statement(
  "read-line-standbys",
  `select id, position, transport, connection, connection_number, poll_cursor from line_standbys
  where account_id = :accountId and line_id = :lineId order by position`,
);

/** The other connections of a line, in their order. */
export function readStandbys(on: Sql, accountId: string, lineId: string): Promise<StandbyRow[]> {
  return on.run(READ_LINE_STANDBYS, { accountId, lineId });
}

/** Opens the settings of a standby. */
export function openStandby(accountId: string, { id, connection }: StandbyRow): Connection {
  return JSON.parse(unseal(connection, standbyContext(accountId, id)));
}

export function sealStandby(accountId: string, id: string, connection: Connection): Buffer {
  return seal(JSON.stringify(connection), standbyContext(accountId, id));
}

/** The seal context of a standby's connection. */
export function standbyContext(accountId: string, id: string): SealContext {
  return { purpose: "line-standby", row: { accountId, id } };
}

/** Opens the settings of the connection in use; empty for a line that was never connected. */
export function openActive(accountId: string, { id, connection }: ActiveRow): Connection {
  return connection === null ? {} : JSON.parse(unseal(connection, lineConnectionContext(accountId, id)));
}

export function sealActive(accountId: string, lineId: string, connection: Connection): Buffer {
  return seal(JSON.stringify(connection), lineConnectionContext(accountId, lineId));
}

/** Finds a transport of this instance by name. Errors: parameter_invalid. */
export function requireTransportNamed(name: string): Transport {
  const transport = allTransports().find((each) => each.name === name);
  return transport ?? fail("parameter_invalid", `transport: this instance has no transport "${name}"`);
}

/** Whether a transport reports when a line is up. A line on another one is up as soon as it is connected. */
export function reportsState({ sessions, poll }: Transport): boolean {
  return sessions !== undefined || poll !== undefined;
}
