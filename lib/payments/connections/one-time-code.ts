import "server-only";
import { randomInt } from "node:crypto";
import { isSignedText, signText } from "@/lib/platform/crypto/crypto";

export const CODE_TTL_MS = 10 * 60_000;
export const HOUR_MS = 60 * 60_000;
/** Codes per purpose, handle and hour. With five attempts each, a guesser has 25 chances in a million. */
export const CODES_PER_HANDLE_HOUR = 5;
export const MAX_CODE_ATTEMPTS = 5;

const PURPOSE = "one-time code";

/** Returns six random digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** The stored form of a code: a keyed hash that matches only the verification it was created for. */
export function hashCode(verificationId: string, code: string): Buffer {
  return Buffer.from(signText(PURPOSE, `${verificationId}.${code}`), "base64url");
}

export function isCode(hash: Buffer, verificationId: string, code: string): boolean {
  return isSignedText(PURPOSE, `${verificationId}.${code}`, hash.toString("base64url"));
}
