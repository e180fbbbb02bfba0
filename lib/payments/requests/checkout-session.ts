import "server-only";
import { type SealContext, seal, sha256, unseal } from "@/lib/platform/crypto/crypto";
import { checkoutUrl } from "@/lib/platform/env";
import { secretBytes } from "@/lib/platform/ids";

const PREFIX = "tlpay_";
const TOKEN = /^tlpay_[\w-]{43}$/;

/** The stored secret of a checkout link: looked up by its hash, and unsealed to show the link again. */
export interface StoredSession {
  hash: Buffer;
  sealed: Buffer;
}

/** The payment request a session belongs to. */
interface RequestRef {
  accountId: string;
  id: string;
}

/** The seal context of a payment request's session. */
export function checkoutSessionContext({ accountId, id }: RequestRef): SealContext {
  return { purpose: "checkout session", row: { accountId, id } };
}

/** Creates a session for a new request: 256 random bits. Only its hash and the sealed token are stored. */
export function newCheckoutSession(of: RequestRef): StoredSession {
  const token = PREFIX + secretBytes(32).toString("base64url");
  return { hash: sha256(token), sealed: seal(token, checkoutSessionContext(of)) };
}

/** Returns the hash that a session token is looked up by, or null for an invalid token. */
export function sessionHash(token: string): Buffer | null {
  return TOKEN.test(token) ? sha256(token) : null;
}

/** Returns the checkout link (docs/contract.md, section 13.2). Throws UnreadableSecret. */
export function checkoutLink(of: RequestRef, slug: string, sealed: Uint8Array): string {
  return `${checkoutUrl()}/pay/${slug}?session=${unseal(sealed, checkoutSessionContext(of))}`;
}

/** Returns the token of a checkout link of this instance, or null for any other URL. */
export function sessionOfLink(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { host, pathname, searchParams } = new URL(url);
  if (host !== new URL(checkoutUrl()).host || !/^\/pay\/[^/]+$/.test(pathname)) return null;
  return searchParams.get("session");
}
