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
import { statement } from "@/lib/platform/database/statement";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

const NOW = platformNowSql();

/** A connection that a line is to use. */
interface NextConnection {
  position: number;
  transport: string;
  connection: Connection;
  connectionNumber: number;
  pollCursor: string | null;
}

const USE_LINE_CONNECTION = statement(
  "use-line-connection",
  `update lines set transport = :transport, connection = :active, connection_number = :connectionNumber,
    connections_made = greatest(connections_made, :connectionNumber), transport_position = :position, poll_cursor = :pollCursor,
    poll_due_at = 'epoch', poll_failures = 0, poll_lease_until = null, upstream_lines = null,
    sends_per_second = (:throughputsOf::jsonb ->> :transport::text)::float8, next_send_at = null,
    is_up = :isUp, down_reason = :downReason, down_since = case when :isUp then null else ${NOW} end
  where account_id = :accountId and id = :lineId`,
);

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
  await tx.run(USE_LINE_CONNECTION, {
    accountId,
    lineId,
    transport,
    active: sealActive(accountId, lineId, connection),
    connectionNumber,
    position,
    pollCursor,
    isUp,
    downReason: isUp ? null : CONNECTING,
    ...clockParameters(),
    throughputsOf: throughputsOf(connection),
  });
  tx.wake("lines");
  tx.wake("messages");
  tx.wake("actions");
}

const KEEP_CONNECTION_VENDOR = statement(
  "keep-connection-vendor",
  `update lines l set connection_vendors[:to::int] = ${vendorSql("l", ":from::int")}
  where l.account_id = :accountId and l.id = :lineId`,
);

/** Records that a new connection leads to the same vendor account as the one that it replaces. */
export async function keepVendor(
  tx: Sql,
  { accountId, lineId }: { accountId: string; lineId: string },
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx.run(KEEP_CONNECTION_VENDOR, { accountId, lineId, to, from });
}

const STORE_FORMER_CONNECTION = statement(
  "store-former-connection",
  `update line_standbys set position = :transportPosition, transport = :transport, connection = :standby, connection_number = :connectionNumber,
    poll_cursor = :pollCursor
  where account_id = :accountId and id = :standbyId`,
);

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
  await tx.run(STORE_FORMER_CONNECTION, {
    accountId,
    standbyId: standby.id,
    transportPosition: active.transport_position,
    transport: active.transport,
    standby: sealStandby(accountId, standby.id, openActive(accountId, active)),
    connectionNumber: active.connection_number,
    pollCursor: active.poll_cursor,
  });
}
