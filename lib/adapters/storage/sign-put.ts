import "server-only";
import { type IncomingPut, SignatureRefused, type SignedPut } from "@/lib/adapters/storage/object-store";
import { isSignedText, signText } from "@/lib/platform/crypto/crypto";
import { cdnUrl } from "@/lib/platform/env";

const PURPOSE = "object upload";

/**
 * Returns the URL of an upload to this service itself (/uploads). It is valid for these headers only, for a limited
 * time (wall clock).
 */
export async function signPut(
  key: string,
  put: { contentType: string; sizeBytes: number; ttlSeconds: number },
): Promise<SignedPut> {
  const expiresAt = new Date(Date.now() + put.ttlSeconds * 1000);
  const length = String(put.sizeBytes);
  const signature = signText(PURPOSE, textOf(key, String(expiresAt.getTime()), put.contentType, length));
  return {
    url: `${cdnUrl()}/uploads/${key}?expires=${expiresAt.getTime()}&signature=${signature}`,
    method: "PUT",
    headers: { "Content-Type": put.contentType, "Content-Length": length },
    expiresAt,
  };
}

/**
 * Verifies an upload's signature and returns what it allows. Throws SignatureRefused for another header, a changed
 * URL, or an expired signature.
 */
export function verifyPut({ key, query, headers }: IncomingPut): { contentType: string; sizeBytes: number } {
  const expires = query.get("expires") ?? "";
  const contentType = headers.get("content-type") ?? "";
  const length = headers.get("content-length") ?? "";
  if (!isSignedText(PURPOSE, textOf(key, expires, contentType, length), query.get("signature") ?? "")) {
    throw new SignatureRefused(
      "the URL, Content-Type or Content-Length does not match the signature: send exactly the required_headers",
    );
  }
  if (Date.now() > Number(expires))
    throw new SignatureRefused("the upload URL has expired: create another attachment");
  return { contentType, sizeBytes: Number(length) };
}

function textOf(key: string, expires: string, contentType: string, length: string): string {
  return ["PUT", key, expires, contentType, length].join("\n");
}
