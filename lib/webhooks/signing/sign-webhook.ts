// No "server-only", because scripts/cli uses this module too.
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { memoize } from "../../platform/tasks/memoize.ts";

const SECRET_PREFIX = "whsec_";

/** Random bytes in a signing secret. */
export const SECRET_BYTES = 32;

const VALID_SECONDS = 300;
const MAX_SIGNATURES = 5;

export interface Signable {
  subscriptionId: string;
  eventId: string;
  eventType: string;
  /** The exact text that is posted. */
  body: string;
  /** The time of this attempt by the wall clock. Receivers reject signatures that are more than five minutes off. */
  sentAt: Date;
}

/**
 * The valid secrets of a subscription. During an overlap, the Standard Webhooks header contains a signature for each.
 */
export interface SigningSecrets {
  /** The secret of the legacy header: the old one during an overlap (docs/contract.md, section 12.7). */
  legacy: string;
  all: readonly string[];
}

/**
 * Returns both sets of signature headers (docs/contract.md, section 12.7): Standard Webhooks (key = the decoded secret,
 * over id.timestamp.body) and legacy (key = the secret as text, over timestamp.body).
 */
export function signWebhook(secrets: SigningSecrets, signable: Signable): Record<string, string> {
  const { eventId, body } = signable;
  const timestamp = Math.floor(signable.sentAt.getTime() / 1000).toString();
  const signatures = secrets.all.map((secret) => `v1,${standardSignature(secret, eventId, timestamp, body)}`);
  return {
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
    "x-webhook-event": signable.eventType,
    "x-webhook-subscription-id": signable.subscriptionId,
    "x-webhook-timestamp": timestamp,
    "x-webhook-signature": createHmac("sha256", keysOf(secrets.legacy).legacy)
      .update(`${timestamp}.${body}`)
      .digest("hex"),
  };
}

/** The Standard Webhooks headers of a message that belongs to no subscription. */
export function signMessage(
  secret: string,
  { id, body, sentAt }: { id: string; body: string; sentAt: Date },
): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1000).toString();
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standardSignature(secret, id, timestamp, body)}`,
  };
}

/**
 * Whether the Standard Webhooks headers contain a valid signature of the body with any of the secrets, at most five
 * minutes from `at` (wall clock).
 */
export function isSignedWebhook(
  secrets: readonly string[],
  webhook: { headers: Headers; body: string; at: Date },
): boolean {
  const { headers, body, at } = webhook;
  const eventId = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const age = at.getTime() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > VALID_SECONDS) return false;
  const given = (headers.get("webhook-signature") ?? "")
    .split(" ", MAX_SIGNATURES)
    .map((text) => Buffer.from(text));
  return secrets.some((secret) => {
    const right = Buffer.from(`v1,${standardSignature(secret, eventId, timestamp, body)}`);
    return given.some((one) => one.length === right.length && timingSafeEqual(one, right));
  });
}

/** A new signing secret: `whsec_` and 32 random bytes in padded base64 (docs/contract.md, section 12.7). */
export function toSigningSecret(random: Buffer): string {
  return `${SECRET_PREFIX}${random.toString("base64")}`;
}

/** Whether a text is a signing secret: `whsec_` and 24 to 64 bytes in padded base64, as Standard Webhooks defines it. */
export function isSigningSecret(text: string): boolean {
  const encoded = text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : "";
  const key = Buffer.from(encoded, "base64");
  return key.length >= 24 && key.length <= 64 && key.toString("base64") === encoded;
}

// Creating a key object costs more than signing with it.
const keysOf = memoize(1000, (secret) => ({
  standard: createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), "base64")),
  legacy: createSecretKey(Buffer.from(secret)),
}));

function standardSignature(secret: string, eventId: string, timestamp: string, body: string): string {
  return createHmac("sha256", keysOf(secret).standard)
    .update(`${eventId}.${timestamp}.${body}`)
    .digest("base64");
}
