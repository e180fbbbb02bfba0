import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import rules from "../.dependency-cruiser.mjs";

const MAX_FILES = 25;
const GENERATED = "lib/platform/prisma";

const architecture = readFileSync("docs/architecture.md", "utf8");
const rooms = [...architecture.matchAll(/^\| \*\*`lib\/([\w-]+)\/`\*\* \|/gm)].map(([, room = ""]) => room);

/** The domains that the table lists below a room. */
function domainsOf(room: string): string[] {
  const [, after = ""] = architecture.split(`| **\`lib/${room}/\`** |`);
  const [rows = ""] = after.split("| **`lib/", 1);
  return [...rows.matchAll(/^\| \| `([\w-]+)\/` \|/gm)].map(([, domain = ""]) => domain);
}

test("the architecture's table has the rooms in the order of the dependency rules, from the top down", () => {
  const fromBelow = rules.forbidden
    .map(({ name }) => /^(.+)-uses-only-rooms-below$/.exec(name)?.[1])
    .filter((room) => room !== undefined);

  expect(rooms.toReversed()).toEqual(fromBelow);
});

test("the architecture's table has every domain of every room", () => {
  for (const room of rooms) {
    const folders = globSync(`lib/${room}/*/`).map((folder) => path.basename(folder));
    expect(domainsOf(room).sort(), room).toEqual(folders.sort());
  }
});

test(`no folder of lib has more than ${MAX_FILES} files beside its tests`, () => {
  const counts = new Map<string, number>();
  for (const file of globSync("lib/**/*.{ts,tsx,mjs}")) {
    if (file.startsWith(GENERATED) || file.includes(".test.")) continue;
    const folder = path.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }

  expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
  expect(counts.size).toBeGreaterThan(100);
});
