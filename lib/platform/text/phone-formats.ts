import "server-only";
import metadata from "libphonenumber-js/max/metadata";
import { z } from "zod";
import { callingCodeOf, digitGroups, type PhoneFormats } from "@/lib/platform/text/digit-groups";

const FORMATS = 4;
/** A number format of libphonenumber: pattern, national form, leading digits, two rules, international form. 0 is none. */
const Format = z
  .tuple([z.string(), z.string(), z.array(z.string()).or(z.literal(0)).optional()])
  .rest(z.unknown());
const INTERNATIONAL = 5;
const PUNCTUATION = /[\p{Pd}\s()./~[\]]+/gu;

/** Returns how numbers with these calling codes are grouped internationally, which `digitGroups` applies. */
export function phoneFormats(callingCodes: Iterable<string>): PhoneFormats {
  return Object.fromEntries([...new Set(callingCodes)].map((code) => [code, formatsOf(code)]));
}

/** Returns a number in E.164 format as people read it: `+44 7400 123456`. Any other text is returned as it is. */
export function groupedNumber(handle: string): string {
  const code = callingCodeOf(handle);
  return code === null ? handle : digitGroups(handle, phoneFormats([code])).join(" ");
}

// Countries that share a calling code share the formats of the first of them.
function formatsOf(code: string): [pattern: string, groups: string][] {
  const [country] = Object.entries(metadata.country_calling_codes).find(([key]) => key === code)?.[1] ?? [];
  if (country === undefined) return [];
  return z
    .array(Format)
    .parse(metadata.countries[country]?.[FORMATS] || [])
    .map((format) => {
      const [digits, national, leading] = format;
      const international = format[INTERNATIONAL] || national;
      const start = leading ? leading.at(-1) : undefined;
      return [
        start === undefined ? digits : `(?=${start})${digits}`,
        String(international).replace(PUNCTUATION, " ").trim(),
      ];
    });
}
