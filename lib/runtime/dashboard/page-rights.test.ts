import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Role } from "@/lib/platform/context";
import type { Right } from "@/lib/platform/rights/right";
import { roleHasRight } from "@/lib/platform/rights/role-rights";

const PAGES = "app/(dashboard)";

/** The right that a source requires, directly or through its reader. */
function rightOf(source: string): Right | undefined {
  const own = /requireAccount\("(\w+)"\)/.exec(source)?.[1];
  if (own !== undefined) return own as Right;
  const reader = /from "@\/(lib\/runtime\/dashboard\/read-[\w-]+)"/.exec(source)?.[1];
  return reader === undefined ? undefined : rightOf(readFileSync(`${reader}.ts`, "utf8"));
}

const pages = readdirSync(PAGES, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "page.tsx")
  .map((file) => ({
    page: `/${path.dirname(file)}`.replace("/.", "/"),
    right: rightOf(readFileSync(path.join(PAGES, file), "utf8")),
  }));

/** Pages that only redirect, or whose layout requires the right. */
const WITHOUT_CONTENT: readonly string[] = ["/chats"];

test("every page of the dashboard names the right it needs", () => {
  expect(pages.length).toBeGreaterThan(35);
  const unnamed = pages.filter(({ right }) => right === undefined).map(({ page }) => page);
  expect(unnamed.filter((page) => !WITHOUT_CONTENT.includes(page))).toEqual([]);
});

test.each<[Role, readonly string[]]>([
  [
    "viewer",
    [
      "/instance",
      "/lines/[lineId]/transport",
      "/settings/accounts",
      "/settings/audit-log",
      "/settings/security",
      "/tokens",
    ],
  ],
  [
    "support",
    [
      "/instance",
      "/lines/[lineId]/transport",
      "/settings/accounts",
      "/settings/audit-log",
      "/settings/security",
      "/tokens",
    ],
  ],
  ["developer", ["/instance", "/lines/[lineId]/transport", "/settings/accounts", "/settings/security"]],
  ["admin", ["/instance", "/lines/[lineId]/transport"]],
])("a %s has no right to exactly these pages", (role, hidden) => {
  const refused = pages
    .filter(({ right }) => right !== undefined && !roleHasRight({ role, isOperator: false }, right))
    .map(({ page }) => page);
  expect(refused.sort()).toEqual([...hidden].sort());
});
