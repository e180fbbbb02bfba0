import "server-only";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import {
  type Callback,
  MalformedCallback,
  type VendorReply,
  type VendorRequest,
} from "@/lib/adapters/transports/callback";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { allTransports } from "@/lib/adapters/transports/registry";
import { openConnection, pollLineNow } from "@/lib/lines/lines/line-connection";
import { sql } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";

interface CallbackLine {
  line: LineRef;
  connection: Buffer;
  transport: string;
}

/** Finds the line whose callback URL was called, before its body is read. Errors: route_unknown. */
export async function requireCallbackLine(lineId: string): Promise<CallbackLine> {
  const [row] = await sql.query<LineRef & { transport: string; connection: Buffer | null }>({
    name: "callback-line",
    text: `select account_id as "accountId", id, phone_number as "phoneNumber", line_type as "lineType", transport, connection
           from lines where id = $1 and released_at is null limit 1`,
    values: [lineId],
  });
  if (row?.connection == null || transportOf(row.transport)?.parseCallback === undefined) {
    return fail("route_unknown", "this line does not accept callbacks");
  }
  const { connection, transport, ...line } = row;
  return { line, connection, transport };
}

/**
 * Verifies and parses a vendor's callback and stores its events. Respond when this returns. Errors: access_denied
 * (invalid signature), body_invalid (malformed). After any other error, the vendor should retry.
 */
export async function receiveCallback(
  called: CallbackLine,
  request: VendorRequest,
): Promise<VendorReply | null> {
  const { events, reply, pollNow } = await parse(called, request).catch((error: unknown) => {
    if (error instanceof SignatureRefused) return fail("access_denied", "the signature is invalid");
    if (error instanceof MalformedCallback) return fail("body_invalid", error.message);
    throw error;
  });
  await waitingSink.receive(called.line, events);
  if (pollNow === true) await pollLineNow(called.line);
  return reply;
}

async function parse(
  { line, connection, transport }: CallbackLine,
  request: VendorRequest,
): Promise<Callback> {
  const parseCallback = transportOf(transport)?.parseCallback ?? fail("route_unknown");
  return parseCallback(line, openConnection(line, connection), request);
}

function transportOf(name: string) {
  return allTransports().find((transport) => transport.name === name);
}
