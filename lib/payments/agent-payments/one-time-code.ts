import "server-only";
import { randomInt } from "node:crypto";
import { isSignedText, signText } from "@/lib/platform/crypto";

export const CODE_TTL_MS = 10 * 60_000;
export const HOUR_MS = 60 * 60_000;
/** Codes of one purpose sent to a handle in an hour: with five tries each, a guesser has 25 of a million chances. */
export const CODES_PER_HANDLE_HOUR = 5;
export const CODE_TRIES = 5;

const PURPOSE = "one-time code";

/** Six random digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** A code as it is stored: a keyed hash that matches only the verification it was made for. */
export function hashCode(verificationId: string, code: string): Buffer {
  return Buffer.from(signText(PURPOSE, `${verificationId}.${code}`), "base64url");
}

export function isCode(hash: Buffer, verificationId: string, code: string): boolean {
  return isSignedText(PURPOSE, `${verificationId}.${code}`, hash.toString("base64url"));
}
