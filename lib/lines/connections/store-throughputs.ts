import "server-only";
import { allTransports } from "@/lib/adapters/transports/registry";
import { openConnection } from "@/lib/lines/connections/line-connection";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";

const PAGE = 500;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

type ConnectedLine = RowOf<"connected-lines">;

/**
 * Stores the throughput of lines that an earlier version connected, or whose transport has another default since.
 * Returns the number of lines that changed.
 */
export async function storeThroughputs(): Promise<number> {
  let changed = 0;
  let after = { account_id: FIRST_ID, id: FIRST_ID };
  for (;;) {
    const lines = await readConnected(after);
    for (const line of lines) {
      if (await storeThroughput(line)) changed++;
    }
    const last = lines.at(-1);
    if (last === undefined || lines.length < PAGE) return changed;
    after = last;
  }
}

const CONNECTED_LINES = statement(
  "connected-lines",
  `select account_id, id, phone_number, line_type, transport, connection, connection_number, sends_per_second
  from lines where connection is not null and released_at is null and (account_id, id) > (:accountId, :afterId)
  order by account_id, id limit ${PAGE}`,
);

function readConnected(after: { account_id: string; id: string }): Promise<ConnectedLine[]> {
  return sql.run(CONNECTED_LINES, { accountId: after.account_id, afterId: after.id });
}

const STORE_THROUGHPUT = statement(
  "store-throughput",
  `update lines set sends_per_second = :throughput where account_id = :accountId and id = :lineId and connection_number = :connectionNumber
  returning id`,
);

async function storeThroughput(line: ConnectedLine): Promise<boolean> {
  const throughput = findThroughput(line);
  if (throughput === undefined || throughput === line.sends_per_second) return false;
  // The connection may have been changed meanwhile.
  const rows = await sql.run(STORE_THROUGHPUT, {
    accountId: line.account_id,
    lineId: line.id,
    connectionNumber: line.connection_number,
    throughput,
  });
  return rows.length > 0;
}

/** The throughput of a line; undefined where the connection can't be read, or the transport is unknown. */
function findThroughput(line: ConnectedLine): number | null | undefined {
  const transport = allTransports().find(({ name }) => name === line.transport);
  if (transport === undefined) return undefined;
  try {
    const { account_id: accountId, id, phone_number: phoneNumber, line_type: lineType } = line;
    const connection = openConnection({ accountId, id, phoneNumber, lineType }, line.connection);
    return transport.throughput?.(connection) ?? null;
  } catch (error) {
    log.warn({ err: error, lineId: line.id }, "the throughput of a line can't be read");
    return undefined;
  }
}
