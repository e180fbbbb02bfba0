import "server-only";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import prefixesOfZones from "@/lib/recipients/time-zones/phone-zones.json";

/** Where the area code of a mobile number says where it is from. */
const AREAS_OF_MOBILES: ReadonlySet<string> = new Set(["52", "54", "55", "62", "86"]);

let zonesOfPrefixes: Map<string, readonly string[]> | undefined;

/**
 * The time zones in which a phone number (E.164) may be: those of its area code, or of its country when its kind of number belongs
 * to no area, as most mobile numbers; none for an email address, and of +1 for toll-free numbers and unknown areas. phone-zones.json is the time zone metadata of Google's libphonenumber
 * (resources/timezones/map_data.txt, Apache License 2.0): the prefixes of each combination of zones, without those that add
 * nothing to a shorter one, without +1, which names 43 zones, and with the zones of 211, 212, 213, 218 and 505 themselves, where
 * it names one of another country with other clocks.
 */
export function zonesOfNumber(handle: string): readonly string[] {
  if (!handle.startsWith("+")) return [];
  zonesOfPrefixes ??= readPrefixes();
  for (let length = longestPrefix(handle); length > 1; length--) {
    const zones = zonesOfPrefixes.get(handle.slice(1, length));
    if (zones !== undefined) return zones;
  }
  return [];
}

/** How much of a number says where it is: all of it, or its + and country code. */
function longestPrefix(handle: string): number {
  const number = parsePhoneNumberFromString(handle);
  if (number === undefined) return handle.length;
  const { countryCallingCode } = number;
  const type = number.getType();
  const isGeographical =
    type === "FIXED_LINE" ||
    type === "FIXED_LINE_OR_MOBILE" ||
    (type === "MOBILE" && AREAS_OF_MOBILES.has(countryCallingCode));
  return isGeographical ? handle.length : 1 + countryCallingCode.length;
}

function readPrefixes(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [zones, prefixes] of Object.entries(prefixesOfZones)) {
    for (const prefix of prefixes.split(" ")) found.set(prefix, zones.split(" "));
  }
  return found;
}
