import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import {
  type Callback,
  type Connection,
  MalformedCallback,
  type VendorRequest,
} from "@/lib/adapters/transports/callback";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { upstreamOf } from "@/lib/adapters/transports/upstream/upstream-api";
import { Envelope } from "@/lib/adapters/transports/upstream/upstream-envelope";
import { toEvents } from "@/lib/adapters/transports/upstream/upstream-events";
import { log } from "@/lib/platform/log";

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
  try {
    return { events: await toEvents(api, envelope), reply: NO_REPLY };
  } catch (error) {
    // The upstream would not send the event again after an error, nor differently.
    if (!(error instanceof z.ZodError)) throw error;
    log.warn({ lineId: line.id, type: envelope.event_type }, "an event of the upstream can't be read");
    return { events: [], reply: NO_REPLY };
  }
}

function readEnvelope(body: Uint8Array): Envelope {
  try {
    return Envelope.parse(JSON.parse(Buffer.from(body).toString("utf8")));
  } catch {
    throw new MalformedCallback("the body is not an event of the API");
  }
}

/** Standard Webhooks: HMAC-SHA256 over id.timestamp.body, at most five minutes off (contract.md 4.4). */
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
