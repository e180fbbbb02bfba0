// No "server-only", because scripts/lab/bench uses this module too.
import { z } from "zod";

const Headers = z.record(z.string(), z.string());

/** The request of an attempt without its body. */
export const PostedRequest = z.object({ url: z.string(), version: z.string(), headers: Headers });

export type PostedRequest = z.infer<typeof PostedRequest>;

/** The delivery of a request, which determines most of its headers. */
export interface RequestOrigin {
  eventId: string;
  eventType: string;
  subscriptionId: string;
}

/** The origin of a claimed delivery's requests. */
export function originOf(delivery: {
  event: { id: string; type: string };
  subscription: { id: string };
}): RequestOrigin {
  const { event, subscription } = delivery;
  return { eventId: event.id, eventType: event.type, subscriptionId: subscription.id };
}

// A request is stored without these headers if they have these values. Never change the values.
const FIXED = { "content-type": "application/json", "user-agent": "Trunkline-Webhooks/1" };

/**
 * A request without the headers that its delivery and `signed` determine: the time of the signatures in seconds, the
 * standard and the legacy signature in base64. Without `signed`, the request has all its headers, as in earlier releases.
 */
const StoredRequest = PostedRequest.extend({
  headers: Headers.optional(),
  signed: z.tuple([z.string(), z.string(), z.string()]).optional(),
});

export type StoredRequest = z.infer<typeof StoredRequest>;

type Signed = NonNullable<StoredRequest["signed"]>;

const STANDARD = /^v1,([A-Za-z0-9+/]{43}=)$/;
const LEGACY = /^[0-9a-f]{64}$/;

/** The form in which a request is stored. `toPostedRequest` with the same origin returns the request. */
export function toStoredRequest(request: PostedRequest, origin: RequestOrigin): StoredRequest {
  const { url, version, headers } = request;
  const signed = signedIn(headers);
  if (signed === null) return request;
  const known = knownHeaders(origin, signed);
  if (Object.keys(known).some((name) => headers[name] === undefined)) return request;
  const others = Object.entries(headers).filter(([name, value]) => known[name] !== value);
  return {
    url,
    version,
    ...(others.length === 0 ? {} : { headers: Object.fromEntries(others) }),
    signed,
  };
}

/** The request of a stored attempt with all its headers. Throws if it was not stored by `toStoredRequest`. */
export function toPostedRequest(stored: unknown, origin: RequestOrigin): PostedRequest {
  const { url, version, headers = {}, signed } = StoredRequest.parse(stored);
  const known = signed === undefined ? {} : knownHeaders(origin, signed);
  return { url, version, headers: { ...known, ...headers } };
}

// During the overlap of two secrets there are two standard signatures: such a request is stored with all its headers.
function signedIn(headers: PostedRequest["headers"]): Signed | null {
  const time = headers["webhook-timestamp"];
  const standard = STANDARD.exec(headers["webhook-signature"] ?? "")?.[1];
  const legacy = headers["x-webhook-signature"] ?? "";
  if (time === undefined || standard === undefined || !LEGACY.test(legacy)) return null;
  return [time, standard, Buffer.from(legacy, "hex").toString("base64")];
}

function knownHeaders(
  { eventId, eventType, subscriptionId }: RequestOrigin,
  [time, standard, legacy]: Signed,
): Record<string, string> {
  return {
    ...FIXED,
    "webhook-id": eventId,
    "webhook-timestamp": time,
    "webhook-signature": `v1,${standard}`,
    "x-webhook-event": eventType,
    "x-webhook-subscription-id": subscriptionId,
    "x-webhook-timestamp": time,
    "x-webhook-signature": Buffer.from(legacy, "base64").toString("hex"),
  };
}
