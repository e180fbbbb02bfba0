import "server-only";
import type { CountryCode } from "libphonenumber-js/max";
import type { Fields } from "@/lib/adapters/transports/smpp/pdu";
import { normalizeSender } from "@/lib/platform/text/phone-handle";

/** The types of number of SMPP 3.4, 5.2.5, that say how an address is to be read. */
const INTERNATIONAL = 1;
const NATIONAL = 2;
const UNKNOWN = 0;
/** No number with its country code is shorter, so a shorter one is a short code whatever its type says. */
const LEAST_INTERNATIONAL = 7;

/** The sender of a message from a carrier that gives none. */
const NONE = "unknown";

/**
 * The sender of a message as Trunkline stores it: a number in E.164 format if its type says that it is one, completed
 * with the country if it is national, and otherwise the short code or name as it came.
 */
export function senderOf(
  { source_addr = "", source_addr_ton = UNKNOWN }: Fields,
  country: CountryCode | null,
): string {
  const address = source_addr.trim();
  if (address === "") return NONE;
  const digits = address.replace(/^\+|^00/, "");
  const isWritten = digits !== address;
  if (!/^\d+$/.test(digits)) return normalizeSender(address, null);
  // No country code begins with 0: such a number is national, whatever its type says.
  if ((source_addr_ton === INTERNATIONAL || isWritten) && !digits.startsWith("0")) {
    return digits.length < LEAST_INTERNATIONAL ? digits : normalizeSender(`+${digits}`, country);
  }
  return [NATIONAL, UNKNOWN, INTERNATIONAL].includes(source_addr_ton)
    ? normalizeSender(address, country)
    : address;
}
