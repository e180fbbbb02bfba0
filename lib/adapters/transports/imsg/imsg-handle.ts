import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { countryOf, normalizeSender } from "@/lib/platform/text/phone-handle";

/** The address of a person as Trunkline stores it; null for one without visible characters. */
export function toHandle({ phoneNumber }: LineRef, raw: string): string | null {
  return normalizeSender(raw, countryOf(phoneNumber)) || null;
}
