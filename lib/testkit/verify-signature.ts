import { createHmac, timingSafeEqual } from "node:crypto";

const PREFIX = "whsec_";

/** A received webhook request, before its body is parsed. */
export interface SignedRequest {
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** Whether a request carries a valid Standard Webhooks signature of its body, made with the secret. */
export function isSignedWith(secret: string, { headers, body }: SignedRequest): boolean {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const right = Buffer.from(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  const given = (headers["webhook-signature"] ?? "").split(" ").map((text) => Buffer.from(text));
  return given.some((one) => one.length === right.length && timingSafeEqual(one, right));
}
