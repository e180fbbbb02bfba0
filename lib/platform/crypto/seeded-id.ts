import "server-only";
import { sha256 } from "@/lib/platform/crypto/crypto";

/** A UUID that a seed and a name determine (RFC 9562, version 8). Never use it for a secret. */
export function seededId(seed: string, name: string): string {
  const digits = sha256(`${name}:${seed}`).toString("hex");
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
