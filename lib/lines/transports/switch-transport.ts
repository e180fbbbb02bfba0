import "server-only";
import type { Connection } from "@/lib/adapters/transports/callback";
import { transportOf } from "@/lib/adapters/transports/registry";
import { vendorSql } from "@/lib/lines/connections/connection-vendor";
import { CONNECTING } from "@/lib/lines/connections/explain-line-down";
import { throughputsOf } from "@/lib/lines/connections/line-throughput";
import {
  type ActiveRow,
  openActive,
  openStandby,
  reportsState,
  type StandbyRow,
  sealActive,
  sealStandby,
} from "@/lib/lines/transports/line-transport-rows";
import type { Sql } from "@/lib/platform/database/db";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

const NOW = platformNowSql("$10", "$11");

/** A connection that a line is to use. */
interface NextConnection {
  position: number;
  transport: string;
  connection: Connection;
  connectionNumber: number;
  pollCursor: string | null;
}

/**
 * Makes a line use another connection, in the transaction that locked the line. Its messages wait until the transport
 * reports the line as up. A message that the vendor of the earlier connection may have is never sent over the next one:
 * see `attempted_connection` (messages/claim-statement.ts).
 */
export async function activateConnection(
  tx: Sql,
  { accountId, lineId }: { accountId: string; lineId: string },
  { position, transport, connection, connectionNumber, pollCursor }: NextConnection,
): Promise<void> {
  const isUp = !reportsState(transportOf(transport));
  await tx.query({
    name: "use-line-connection",
    text: `update lines set transport = $3, connection = $4, connection_number = $5,
             connections_made = greatest(connections_made, $5), transport_position = $6, poll_cursor = $7,
             poll_due_at = 'epoch', poll_failures = 0, poll_lease_until = null, upstream_lines = null,
             sends_per_second = ($12::jsonb ->> $3::text)::float8, next_send_at = null,
             is_up = $8, down_reason = $9, down_since = case when $8 then null else ${NOW} end
           where account_id = $1 and id = $2`,
    values: [
      accountId,
      lineId,
      transport,
      sealActive(accountId, lineId, connection),
      connectionNumber,
      position,
      pollCursor,
      isUp,
      isUp ? null : CONNECTING,
      ...clockParameters(),
      throughputsOf(connection),
    ],
  });
  tx.wake("lines");
  tx.wake("messages");
  tx.wake("actions");
}

/** Records that a new connection leads to the same vendor account as the one that it replaces. */
export async function keepVendor(
  tx: Sql,
  { accountId, lineId }: { accountId: string; lineId: string },
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx.query({
    name: "keep-connection-vendor",
    text: `update lines l set connection_vendors[$3::int] = ${vendorSql("l", "$4::int")}
           where l.account_id = $1 and l.id = $2`,
    values: [accountId, lineId, to, from],
  });
}

/** Exchanges the connection in use with a standby, which both keep their place in the order. */
export async function swapWithStandby(
  tx: Sql,
  accountId: string,
  active: ActiveRow,
  standby: StandbyRow,
): Promise<void> {
  const { id: lineId } = active;
  await activateConnection(
    tx,
    { accountId, lineId },
    {
      position: standby.position,
      transport: standby.transport,
      connection: openStandby(accountId, standby),
      connectionNumber: standby.connection_number,
      pollCursor: standby.poll_cursor,
    },
  );
  await tx.query({
    name: "store-former-connection",
    text: `update line_standbys set position = $3, transport = $4, connection = $5, connection_number = $6,
             poll_cursor = $7
           where account_id = $1 and id = $2`,
    values: [
      accountId,
      standby.id,
      active.transport_position,
      active.transport,
      sealStandby(accountId, standby.id, openActive(accountId, active)),
      active.connection_number,
      active.poll_cursor,
    ],
  });
}
