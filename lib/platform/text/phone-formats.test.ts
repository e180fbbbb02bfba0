import examples from "libphonenumber-js/examples.mobile.json";
import {
  type CountryCode,
  getCountries,
  getExampleNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import metadata from "libphonenumber-js/max/metadata";
import { expect, test } from "vitest";
import { callingCodeOf, digitGroups } from "@/lib/platform/text/digit-groups";
import { groupedNumber, phoneFormats } from "@/lib/platform/text/phone-formats";

const COUNTRIES = [
  ...([
    "US",
    "CA",
    "GB",
    "DE",
    "FR",
    "ES",
    "IT",
    "NL",
    "AT",
    "CH",
    "SE",
    "PL",
    "BR",
    "MX",
    "AR",
    "IN",
  ] as const),
  ...(["JP", "CN", "AU", "ZA", "NG", "RU", "KZ", "AE"] as const),
];
const VARIANTS = 300;

/** Valid numbers of a country: its example with other digits, from a fixed sequence. */
function numbersOf(country: CountryCode): string[] {
  const example = getExampleNumber(country, examples)?.number ?? "";
  const code = callingCodeOf(example) ?? "";
  const national = example.slice(code.length + 1);
  let state = 7;
  const digit = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String(Math.floor(state / 65_536) % 10);
  };
  const drawn = Array.from({ length: VARIANTS }, (_, at) => {
    const kept = national.slice(0, at % national.length);
    return `+${code}${kept}${Array.from(national.slice(kept.length), digit).join("")}`;
  });
  // What libphonenumber itself rewrites, such as a trunk prefix, is not the number that is shown.
  return [example, ...drawn].filter((number) => {
    const parsed = parsePhoneNumberFromString(number);
    return parsed?.isValid() === true && parsed.number === number;
  });
}

test.each(COUNTRIES)("valid numbers of %s are grouped as libphonenumber groups them", (country) => {
  const numbers = numbersOf(country);
  expect(numbers.length).toBeGreaterThan(15);
  for (const number of numbers) {
    expect(groupedNumber(number)).toBe(parsePhoneNumberFromString(number)?.formatInternational());
  }
});

test("every country's example is grouped, and its calling code is known without its formats", () => {
  for (const country of getCountries()) {
    const parsed = getExampleNumber(country, examples);
    if (parsed === undefined) continue;
    expect(groupedNumber(parsed.number)).toBe(parsed.formatInternational());
    expect(digitGroups(parsed.number, {})).toEqual([`+${parsed.countryCallingCode}`, parsed.nationalNumber]);
  }
  for (const code of Object.keys(metadata.nonGeographic ?? {})) {
    expect(callingCodeOf(`+${code}123456789`)).toBe(code);
  }
});

test("grouping adds no digit and removes none, whatever the number", () => {
  for (const code of ["1", "44", "49", "54", "55", "52", "91", "999"]) {
    for (let length = 4; length <= 14 - code.length; length += 1) {
      for (const first of "123456789") {
        const number = `+${code}${first}${"5".repeat(length - 1)}`;
        expect(groupedNumber(number).replaceAll(" ", "")).toBe(number);
      }
    }
  }
});

test.each(["12345", "INFO", "ana@example.com", "+1", "+0123456789", "a+15550100101@example.com", ""])(
  "%j is shown as it is",
  (handle) => {
    expect(groupedNumber(handle)).toBe(handle);
    expect(digitGroups(handle, phoneFormats(["1"]))).toEqual([handle]);
  },
);
