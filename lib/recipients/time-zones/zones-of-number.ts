import "server-only";
import prefixesOfZones from "@/lib/recipients/time-zones/phone-zones.json";

let zonesOfPrefixes: Map<string, readonly string[]> | undefined;

/**
 * The time zones in which a phone number (E.164) may be, from its country and area code; none for an email address, a toll-free
 * number and a number of an unknown area. phone-zones.json is the time zone metadata of Google's libphonenumber
 * (resources/timezones/map_data.txt, Apache License 2.0): the prefixes of each combination of zones, without those that add
 * nothing to a shorter one, and without +1, which names 43 zones.
 */
export function zonesOfNumber(handle: string): readonly string[] {
  if (!handle.startsWith("+")) return [];
  zonesOfPrefixes ??= readPrefixes();
  for (let length = handle.length; length > 1; length--) {
    const zones = zonesOfPrefixes.get(handle.slice(1, length));
    if (zones !== undefined) return zones;
  }
  return [];
}

function readPrefixes(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [zones, prefixes] of Object.entries(prefixesOfZones)) {
    for (const prefix of prefixes.split(" ")) found.set(prefix, zones.split(" "));
  }
  return found;
}
