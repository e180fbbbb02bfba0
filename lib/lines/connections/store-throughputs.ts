import "server-only";
import { allTransports } from "@/lib/adapters/transports/registry";
import { openConnection } from "@/lib/lines/connections/line-connection";
import { sql } from "@/lib/platform/database/db";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { log } from "@/lib/platform/telemetry/log";

const PAGE = 500;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

interface ConnectedLine {
  account_id: string;
  id: string;
  phone_number: string;
  line_type: ServiceType;
  transport: string;
  connection: Buffer;
  connection_number: number;
  sends_per_second: number | null;
}

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

function readConnected(after: { account_id: string; id: string }): Promise<ConnectedLine[]> {
  return sql.query<ConnectedLine>({
    name: "connected-lines",
    text: `select account_id, id, phone_number, line_type, transport, connection, connection_number, sends_per_second
           from lines where connection is not null and released_at is null and (account_id, id) > ($1, $2)
           order by account_id, id limit ${PAGE}`,
    values: [after.account_id, after.id],
  });
}

async function storeThroughput(line: ConnectedLine): Promise<boolean> {
  const throughput = findThroughput(line);
  if (throughput === undefined || throughput === line.sends_per_second) return false;
  // The connection may have been changed meanwhile.
  const rows = await sql.query({
    name: "store-throughput",
    text: `update lines set sends_per_second = $4 where account_id = $1 and id = $2 and connection_number = $3
           returning id`,
    values: [line.account_id, line.id, line.connection_number, throughput],
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
