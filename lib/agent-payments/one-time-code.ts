import "server-only";
import { randomInt } from "node:crypto";
import { isSignedText, signText } from "@/lib/platform/crypto";

export const CODE_TTL_MS = 10 * 60_000;
export const CODE_TRIES = 5;

const PURPOSE = "one-time code";

/** Six random digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** A code as it is stored: a keyed hash, good for this ceremony alone. */
export function hashCode(ceremonyId: string, code: string): Buffer {
  return Buffer.from(signText(PURPOSE, `${ceremonyId}.${code}`), "base64url");
}

export function isCode(hash: Buffer, ceremonyId: string, code: string): boolean {
  return isSignedText(PURPOSE, `${ceremonyId}.${code}`, hash.toString("base64url"));
}
