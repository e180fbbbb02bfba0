import "server-only";
import { isUtf8 } from "node:buffer";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import {
  type Callback,
  type Connection,
  MalformedCallback,
  type VendorReply,
  type VendorRequest,
} from "@/lib/adapters/transports/callback";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { allTransports } from "@/lib/adapters/transports/registry";
import { openConnection, pollLineNow } from "@/lib/lines/connections/line-connection";
import { openStandby, readStandbys } from "@/lib/lines/transports/line-transport-rows";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { isPassing } from "@/lib/runtime/intake/is-passing";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";

/** A connection of a line that accepts callbacks. */
interface CalledConnection {
  transport: string;
  number: number;
  open(): Connection;
}

interface CallbackLine {
  line: LineRef;
  /** The connection in use, if it accepts callbacks. */
  active: CalledConnection | null;
}

const LINE_COLUMNS = `account_id as "accountId", id, phone_number as "phoneNumber", line_type as "lineType",
    transport, connection, connection_number as "connectionNumber"`;

const CALLED_LINE = plannedStatement(
  "called-line",
  `select ${LINE_COLUMNS} from lines where id = :lineId and released_at is null limit 1`,
);

const CALLED_LINE_BY_NUMBER = plannedStatement(
  "called-line-by-number",
  `select ${LINE_COLUMNS} from lines
  where account_id = :accountId and phone_number = :number and released_at is null limit 1`,
);

/** Finds the line whose callback URL was called, before its body is read. Errors: route_unknown. */
export async function requireCallbackLine(lineId: string): Promise<CallbackLine> {
  const [row] = await sql.run(CALLED_LINE, { lineId });
  if (row === undefined) return fail("route_unknown", "this line does not accept callbacks");
  const called = toCalled(row);
  const accepts = called.active !== null || (await readStandbyConnections(called.line)).length > 0;
  return accepts ? called : fail("route_unknown", "this line does not accept callbacks");
}

/**
 * Verifies and parses a vendor's callback and stores its events. The connections that wait in the failover order are
 * vendors of the line, too: their late receipts and messages count. Respond when this returns. Errors: access_denied
 * (invalid signature), body_invalid (about a number that is no line). A signed callback that can't be read is set aside.
 * After any other error, such as UnreadableSecret, the vendor should retry.
 */
export async function receiveCallback(
  called: CallbackLine,
  request: VendorRequest,
): Promise<VendorReply | null> {
  const { line, callback, isActive } = await parse(called, request);
  const { events, reply, pollNow, about } = callback;
  if (about === undefined || about.number === line.phoneNumber) {
    await waitingSink.receive(line, events);
    if (pollNow === true && isActive) await pollLineNow(line);
    return reply;
  }
  const other = await parseForOther(line, about.number, request);
  if (other !== null) {
    await waitingSink.receive(other.line, other.callback.events);
    return other.callback.reply;
  }
  if (!about.mayBeOwn) {
    await waitingSink.receive(line, [
      { type: "refused", reason: "a callback was about a number of no line" },
    ]);
    return fail("body_invalid", `no line of this account has the number ${about.number} at this vendor`);
  }
  await waitingSink.receive(line, events);
  return reply;
}

interface Parsed {
  line: LineRef;
  callback: Callback;
  isActive: boolean;
}

/** Parses a callback with the connection whose vendor signed it: mostly the one in use. */
async function parse({ line, active }: CallbackLine, request: VendorRequest): Promise<Parsed> {
  const connections = [...(active === null ? [] : [active]), ...(await readStandbyConnections(line))];
  const parsed = await parseWithAny(line, connections, request);
  if (parsed === null) return fail("access_denied", "the signature is invalid");
  return { ...parsed, isActive: parsed.line.connectionNumber === active?.number };
}

/**
 * Parses a callback with the first connection whose vendor signed it. Returns null when none did. A connection that can't
 * be opened could be the one of the vendor: its error is thrown when no other connection is, so the vendor repeats.
 */
async function parseWithAny(
  line: LineRef,
  connections: readonly CalledConnection[],
  request: VendorRequest,
): Promise<Omit<Parsed, "isActive"> | null> {
  const failures: unknown[] = [];
  for (const connection of connections) {
    try {
      const parsed = await parseWith(line, connection, request);
      if (parsed !== null) return parsed;
    } catch (error) {
      if (error instanceof ApiError || isPassing(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return null;
}

/** Returns null for a request that the vendor of the connection did not sign. Only a signed callback is set aside. */
async function parseWith(
  called: LineRef,
  connection: CalledConnection,
  request: VendorRequest,
): Promise<Omit<Parsed, "isActive"> | null> {
  const line = { ...called, connectionNumber: connection.number };
  try {
    const parseCallback = transportOf(connection.transport)?.parseCallback ?? fail("route_unknown");
    return { line, callback: await parseCallback(line, connection.open(), request) };
  } catch (error) {
    if (error instanceof SignatureRefused) return null;
    if (!(error instanceof MalformedCallback)) throw error;
    return { line, callback: { events: [unreadable(error.message, request)], reply: null } };
  }
}

/** A signed callback that can't be read is set aside: its vendor would send the same again, or nothing more. */
function unreadable(reason: string, { body }: VendorRequest): InEvent {
  const payload = isUtf8(body) ? Buffer.from(body).toString("utf8") : Buffer.from(body).toString("latin1");
  return { type: "unreadable", reason, payload };
}

/** The callback for the line of the account that has a number, if the same vendor account signed it. */
async function parseForOther(
  { accountId }: LineRef,
  number: string,
  request: VendorRequest,
): Promise<Omit<Parsed, "isActive"> | null> {
  const [row] = await sql.run(CALLED_LINE_BY_NUMBER, { accountId, number });
  if (row === undefined) return null;
  const { line, active } = toCalled(row);
  const connections = [...(active === null ? [] : [active]), ...(await readStandbyConnections(line))];
  return parseWithAny(line, connections, request);
}

function toCalled({ transport, connection, ...line }: RowOf<"called-line">): CallbackLine {
  if (connection === null || !acceptsCallbacks(transport)) return { line, active: null };
  const number = line.connectionNumber;
  return { line, active: { transport, number, open: () => openConnection(line, connection) } };
}

async function readStandbyConnections({ accountId, id }: LineRef): Promise<CalledConnection[]> {
  const standbys = await readStandbys(sql, accountId, id);
  return standbys
    .filter(({ transport }) => acceptsCallbacks(transport))
    .map((standby) => ({
      transport: standby.transport,
      number: standby.connection_number,
      open: () => openStandby(accountId, standby),
    }));
}

function acceptsCallbacks(transport: string): boolean {
  return transportOf(transport)?.parseCallback !== undefined;
}

function transportOf(name: string) {
  return allTransports().find((transport) => transport.name === name);
}
