import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import {
  type Callback,
  type Connection,
  MalformedCallback,
  type VendorRequest,
} from "@/lib/adapters/transports/callback";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { upstreamOf } from "@/lib/adapters/transports/upstream/upstream-api";
import { Envelope } from "@/lib/adapters/transports/upstream/upstream-envelope";
import { readEvent, toEvents } from "@/lib/adapters/transports/upstream/upstream-events";

const VALID_SECONDS = 300;
const MAX_SIGNATURES = 5;
const NO_REPLY = null;

/**
 * Verifies and parses a webhook of the upstream. The events of a Trunkline are read from its stream, in their order, so
 * its webhooks only announce them. Throws SignatureRefused, MalformedCallback, and AdapterError.
 */
export async function parseUpstreamCallback(
  line: LineRef,
  connection: Connection,
  request: VendorRequest,
): Promise<Callback> {
  requireSignature(connection.signing_secret, request);
  const envelope = readEnvelope(request.body);
  const api = await upstreamOf(line, connection);
  if (api.settings.kind === "trunkline") return { events: [], reply: NO_REPLY, pollNow: true };
  return { events: await readEvent(api, envelope), reply: NO_REPLY };
}

/** Reads an event that was set aside again. Throws ZodError and AdapterError. */
export async function readUpstreamAgain(
  line: LineRef,
  connection: Connection,
  payload: string,
): Promise<readonly InEvent[]> {
  return toEvents(await upstreamOf(line, connection), Envelope.parse(JSON.parse(payload)));
}

function readEnvelope(body: Uint8Array): Envelope {
  try {
    return Envelope.parse(JSON.parse(Buffer.from(body).toString("utf8")));
  } catch {
    throw new MalformedCallback("the body is not an event of the API");
  }
}

/** Standard Webhooks: HMAC-SHA256 over id.timestamp.body, at most five minutes off (docs/contract.md, section 12.7). */
function requireSignature(secret: string | undefined, { headers, body }: VendorRequest): void {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  const ageSeconds = Date.now() / 1000 - Number(timestamp);
  if (secret === undefined || id === "" || !/^\d{1,12}$/.test(timestamp)) throw new SignatureRefused();
  if (Math.abs(ageSeconds) > VALID_SECONDS) throw new SignatureRefused();
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  const given = (headers["webhook-signature"] ?? "").split(" ", MAX_SIGNATURES);
  const isSigned = given.some((signature) => {
    const [version, value = ""] = signature.split(",", 2);
    const bytes = Buffer.from(value, "base64");
    return version === "v1" && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  if (!isSigned) throw new SignatureRefused();
}
