import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";

/** The address of a person as Trunkline stores it; null for one without visible characters. */
export function toHandle(_: LineRef, raw: string): string | null {
  const plain = raw.trim().replace(/^(tel|mailto):/i, "");
  if (/^\+[\d\s().-]+$/.test(plain)) return `+${plain.replace(/\D/g, "")}`;
  if (/^[^\s@]+@[^\s@]+$/.test(plain)) return plain.toLowerCase();
  return plain === "" ? null : plain;
}
