import { existsSync, readFileSync } from "node:fs";
import { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import { describe, expect, test } from "vitest";
import { clockIn, QuietHours, quietUntil } from "@/lib/platform/time/quiet-hours";
import { zonesOfNumber } from "@/lib/recipients/time-zones/zones-of-number";

const NIGHT = { from: "21:00", to: "08:00", time_zone: "Europe/Berlin" };
const endOf = (at: string, zones: string | string[], hours: Partial<typeof NIGHT> = {}) =>
  quietUntil(new Date(at), [zones].flat(), { ...NIGHT, ...hours })?.until.toISOString() ?? null;

test.each([
  ["the last minute before", "2026-07-01T18:59:59Z", null],
  ["the first minute", "2026-07-01T19:00:00Z", "2026-07-02T06:00:00.000Z"],
  ["past midnight", "2026-07-01T23:30:15Z", "2026-07-02T06:00:00.000Z"],
  ["the last second", "2026-07-02T05:59:59.999Z", "2026-07-02T06:00:00.000Z"],
  ["the first minute after", "2026-07-02T06:00:00Z", null],
])("quiet hours over midnight: %s", (_, at, end) => {
  expect(endOf(at, "Europe/Berlin")).toBe(end);
});

test.each([
  // Clocks go from 02:00 to 03:00 on 29 March and from 03:00 to 02:00 on 25 October 2026.
  ["the night is an hour shorter", "2026-03-28T22:00:00Z", NIGHT, "2026-03-29T06:00:00.000Z"],
  ["the night is an hour longer", "2026-10-24T22:00:00Z", NIGHT, "2026-10-25T07:00:00.000Z"],
  [
    "an end that is skipped",
    "2026-03-28T22:00:00Z",
    { from: "21:00", to: "02:30" },
    "2026-03-29T01:30:00.000Z",
  ],
  [
    "the first of two ends",
    "2026-10-24T22:00:00Z",
    { from: "21:00", to: "02:30" },
    "2026-10-25T00:30:00.000Z",
  ],
  ["the hour again", "2026-10-25T01:10:00Z", { from: "21:00", to: "02:30" }, "2026-10-25T01:30:00.000Z"],
])("daylight saving in Berlin: %s", (_, at, hours, end) => {
  expect(endOf(at, "Europe/Berlin", hours)).toBe(end);
});

describe("zones", () => {
  test("with half and quarter hours, and on the other side of the date line", () => {
    expect(endOf("2026-07-01T15:30:00Z", "Asia/Kolkata")).toBe("2026-07-02T02:30:00.000Z");
    expect(endOf("2026-07-01T15:29:00Z", "Asia/Kolkata")).toBe(null);
    expect(endOf("2026-07-01T18:00:00Z", "Asia/Kathmandu")).toBe("2026-07-02T02:15:00.000Z");
    expect(endOf("2026-07-01T09:00:00Z", "Pacific/Kiritimati")).toBe("2026-07-01T18:00:00.000Z");
    expect(endOf("2026-07-01T11:00:00Z", "Pacific/Pago_Pago")).toBe("2026-07-01T19:00:00.000Z");
  });

  test("several zones are quiet when one of them is; when that leaves no time of the day, the account's zone decides", () => {
    const coasts = ["America/New_York", "America/Los_Angeles"];
    expect(endOf("2026-07-02T01:30:00Z", coasts)).toBe("2026-07-02T15:00:00.000Z");
    expect(endOf("2026-07-02T14:00:00Z", coasts)).toBe("2026-07-02T15:00:00.000Z");
    expect(endOf("2026-07-02T16:00:00Z", coasts)).toBe(null);
    const world = ["Pacific/Auckland", "Europe/Berlin", "America/Denver"];
    expect(endOf("2026-07-02T12:00:00Z", world)).toBe(null);
    expect(endOf("2026-07-02T01:30:00Z", world)).toBe("2026-07-02T06:00:00.000Z");
    expect(endOf("2026-07-02T01:30:00Z", [])).toBe(null);
  });

  test("come from the country and the area code of a number", () => {
    expect(zonesOfNumber("+4915112345678")).toEqual(["Europe/Berlin"]);
    expect(zonesOfNumber("+12025550123")).toEqual(["America/New_York"]);
    expect(zonesOfNumber("+18085550123")).toEqual(["Pacific/Honolulu"]);
    expect(zonesOfNumber("+918012345678")).toEqual(["Asia/Calcutta"]);
    expect(zonesOfNumber("+12085550123")).toEqual(["America/Boise", "America/Los_Angeles"]);
    expect(zonesOfNumber("+74232220123")).toEqual(["Asia/Vladivostok"]);
    expect(zonesOfNumber("+525512345678")).toEqual(["America/Mexico_City"]);
    expect(zonesOfNumber("+18005550123")).toEqual([]);
    expect(zonesOfNumber("ada@example.com")).toEqual([]);
    expect(zonesOfNumber("SHOP")).toEqual([]);
  });
});

test("a mobile number that belongs to no area may be anywhere in its country", () => {
  expect(zonesOfNumber("+79241234567")).toEqual(expect.arrayContaining(["Europe/Moscow", "Asia/Kamchatka"]));
  expect(zonesOfNumber("+61412345678")).toEqual(
    expect.arrayContaining(["Australia/Perth", "Australia/Sydney"]),
  );
  expect(zonesOfNumber("+34612345678")).toEqual(["Atlantic/Canary", "Europe/Madrid"]);
  expect(zonesOfNumber("+34922123456")).toEqual(["Atlantic/Canary"]);
});

const ZONE_TAB = "/usr/share/zoneinfo/zone.tab";

test.skipIf(!existsSync(ZONE_TAB))("countries with one clock have that clock", () => {
  const ofCountry = new Map<string, string[]>();
  for (const line of readFileSync(ZONE_TAB, "utf8").split("\n")) {
    const [country = "", , zone] = line.split("\t");
    if (zone !== undefined) ofCountry.set(country, [...(ofCountry.get(country) ?? []), zone]);
  }
  const clocksOf = (zones: readonly string[]) => [
    ...new Set(
      zones.map((zone) =>
        ["2026-01-15T12:00:00Z", "2026-07-15T12:00:00Z"].map((at) => clockIn(zone, new Date(at))).join(" "),
      ),
    ),
  ];
  const countriesOf = new Map<string, string[]>();
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    countriesOf.set(code, [...(countriesOf.get(code) ?? []), country]);
  }
  const wrong = [...countriesOf].flatMap(([code, countries]) => {
    const clocks = clocksOf(countries.flatMap((country) => ofCountry.get(country) ?? []));
    const found = zonesOfNumber(`+${code}0`);
    return clocks.length !== 1 || clocksOf(found).join() === clocks.join() ? [] : [`${code} ${found}`];
  });
  expect(wrong).toEqual([]);
});

test("hours that are no hours are refused", () => {
  const hours = { ...NIGHT, time_zone: "Europe/Berlin", action: "hold" };
  expect(QuietHours.safeParse(hours).success).toBe(true);
  for (const wrong of [
    { to: "21:00" },
    { from: "24:00" },
    { from: "9:00" },
    { to: "08:60" },
    { time_zone: "Berlin" },
    { time_zone: "" },
    { action: "drop" },
  ]) {
    expect(QuietHours.safeParse({ ...hours, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
  }
});
