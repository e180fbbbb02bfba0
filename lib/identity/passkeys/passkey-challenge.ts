import "server-only";
import { isSignedText, sha256, signText } from "@/lib/platform/crypto/crypto";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { secretBytes } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const TTL_MS = 5 * 60_000;
const SIGNED = "dashboard passkey challenge";

/** The purpose of a signature: a sign-in, or a change by one session of a signed-in person. */
export type ChallengePurpose =
  | { type: "sign_in" }
  | { type: "register" | "confirm"; userId: string; sessionId: string };

/**
 * A challenge for a passkey to sign, valid once, for five minutes and for this purpose. The challenge is signed instead
 * of stored, so that requests for one write nothing.
 */
export function newChallenge(purpose: ChallengePurpose): Uint8Array<ArrayBuffer> {
  const content = `${secretBytes(16).toString("base64url")}.${now().getTime() + TTL_MS}`;
  const signature = signText(SIGNED, `${nameOf(purpose)} ${content}`);
  return new Uint8Array(Buffer.from(`${content}.${signature}`));
}

const USE_PASSKEY_CHALLENGE = statement(
  "use-passkey-challenge",
  `insert into used_passkey_challenges (challenge_hash, expires_at) values (:sha256, :expiresAt)
  on conflict (challenge_hash) do nothing returning 1`,
);

/**
 * Uses up a challenge. Returns false when the challenge was made for another purpose, was already used, has expired or
 * was not made here. Concurrent uses of one challenge wait for each other, and only one succeeds.
 */
export async function consumeChallenge(
  on: Sql,
  purpose: ChallengePurpose,
  challenge: string,
): Promise<boolean> {
  const [nonce = "", expiry = "", signature = ""] = Buffer.from(challenge, "base64url").toString().split(".");
  const expiresAt = new Date(Number(expiry));
  if (!isSignedText(SIGNED, `${nameOf(purpose)} ${nonce}.${expiry}`, signature)) return false;
  if (expiresAt <= now()) return false;
  const used = await on.run(USE_PASSKEY_CHALLENGE, { sha256: sha256(`${nonce}.${expiry}`), expiresAt });
  return used.length > 0;
}

function nameOf(purpose: ChallengePurpose): string {
  return purpose.type === "sign_in" ? purpose.type : `${purpose.type} ${purpose.userId} ${purpose.sessionId}`;
}
