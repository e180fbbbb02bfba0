import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { Settings } from "@/lib/platform/settings";
import { settingsDocument, withCommonSettings } from "@/scripts/settings-document";

const about = { group: "limits", description: "A limit." };

test("docs/settings.md has one row for each setting, with four cells", () => {
  const rows = settingsDocument(Settings.shape).match(/^\| `.*$/gm) ?? [];
  const names = rows.map((row) => row.split("`")[1]);
  expect(names.toSorted()).toEqual(Object.keys(Settings.shape).toSorted());
  expect(rows.filter((row) => row.split(" | ").length !== 4)).toEqual([]);
});

test("a row shows the default and the values of the schema", () => {
  const document = settingsDocument({
    LIMIT: z.coerce
      .number()
      .int()
      .min(1)
      .max(9)
      .default(3)
      .meta({ ...about, unit: "days" }),
    SWITCH: z.enum(["0", "1", "true", ""]).default("0").meta(about),
    TOGGLE: z.enum(["on", "off", "0", "1", ""]).default("on").meta(about),
    LEVEL: z.enum(["low", "high"]).default("low").meta(about),
    TARGET: z
      .url()
      .optional()
      .meta({ ...about, preset: "this machine" }),
    NAME: z.string().default("").meta(about),
  });
  expect(document.match(/^\| `.*$/gm)).toEqual([
    "| `LIMIT` | `3` | 1 to 9 days | A limit. |",
    "| `SWITCH` | `0` | `0`, `1` | A limit. |",
    "| `TOGGLE` | `on` | `on`, `off` | A limit. |",
    "| `LEVEL` | `low` | `low`, `high` | A limit. |",
    "| `TARGET` | this machine | URL | A limit. |",
    "| `NAME` | none | text | A limit. |",
  ]);
});

test.each([
  ["no description", z.string().meta({ group: "limits" }), /the setting ODD: .*\n.*at description/],
  ["no group", z.string().meta({ description: "A limit." }), /the setting ODD: .*\n.*at group/],
  ["an unknown group", z.string().meta({ ...about, group: "other" }), /the setting ODD: .*\n.*at group/],
  ["a number without a unit", z.number().min(1).max(2).meta(about), "ODD is a number without a unit"],
])("a setting with %s is refused", (_, schema, reason) => {
  expect(() => settingsDocument({ ODD: schema })).toThrow(reason);
});

test("the README lists ten settings, and its links lead to docs/", () => {
  const readme = withCommonSettings(readFileSync("README.md", "utf8"), {
    ...Settings.shape,
    LINKED: z.string().meta({ ...about, isCommon: true, description: "A [limit](scaling.md#files). More." }),
  });
  const rows = readme.match(/^\| `[A-Z\d_]+` \|.*$/gm) ?? [];
  expect(rows).toHaveLength(11);
  expect(rows.at(-1)).toBe("| `LINKED` | none | A [limit](docs/scaling.md#files). |");
  expect(() => withCommonSettings("# Trunkline\n", Settings.shape)).toThrow("README.md has no marks");
});
