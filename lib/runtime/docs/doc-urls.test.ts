import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { EVENT_TYPES } from "@/lib/events/event-types";
import { toLine } from "@/lib/lines/lines/line";
import { errorDocUrl } from "@/lib/platform/error-docs/error-doc-url";
import { documentedErrors } from "@/lib/platform/error-docs/error-guidance";
import { ERRORS } from "@/lib/platform/errors";
import type { Line } from "@/lib/platform/prisma/client";
import { HealthStatus } from "@/lib/platform/prisma/enums";
import { documentedOperations } from "@/lib/runtime/docs/simulator-operations";
import { operationsOf } from "@/lib/runtime/server/operations";

const DOCS = path.resolve("app/docs");

test("every error's doc_url leads to its page", () => {
  const pages = new Set(documentedErrors().map(({ code }) => code));
  for (const { code } of Object.values(ERRORS)) {
    expect(pages).toContain(code);
    expect(new URL(errorDocUrl(code)).pathname).toBe(`/docs/error/codes/${`${code}`.charAt(0)}xxx/${code}/`);
  }
  expect(existsSync(path.join(DOCS, "error/codes/[range]/[code]/page.tsx"))).toBe(true);
});

test("every health status has its place on the page its doc_url names", () => {
  const page = readFileSync(path.join(DOCS, "guides/chats/chat-health/page.tsx"), "utf8");
  for (const status of Object.values(HealthStatus)) expect(page).toContain(`id="${status.toLowerCase()}"`);
});

test("every reputation of a line has its place on the page its doc_url names", () => {
  const page = readFileSync(path.join(DOCS, "guides/lines/reputation/page.tsx"), "utf8");
  for (const status of ["HEALTHY", "AT_RISK", "CRITICAL"] as const) {
    const line = toLine({ reputation: status, createdAt: new Date() } as Line);
    expect(new URL(line.reputation.doc_url).pathname).toBe("/docs/guides/lines/reputation");
    expect(page).toContain(`id="${new URL(line.reputation.doc_url).hash.slice(1)}"`);
  }
});

test("the page of the simulator shows each of its operations", () => {
  const shown = documentedOperations().map(({ method, path: at }) => `${method} ${at}`);
  const served = operationsOf(routes)
    .filter(({ path: at }) => at.startsWith("/simulator"))
    .map(({ method, path: at }) => `${method} ${at}`);
  expect(shown.sort()).toEqual(served.sort());
});

const PAGES = readdirSync(DOCS, { recursive: true, encoding: "utf8" }).filter(
  (file) => path.basename(file) === "page.tsx",
);

function linksOf(page: string): string[] {
  const source = readFileSync(path.join(DOCS, page), "utf8");
  return [...source.matchAll(/href[=:] ?"\/docs\/([\w./-]+)/g)].map(([, to = ""]) => to);
}

test("every page the documentation links to is there", () => {
  const links = PAGES.flatMap(linksOf);
  expect(links.length).toBeGreaterThan(20);
  for (const to of links) {
    const error = to.match(/^error\/codes\/\dxxx\/(\d{4})$/)?.[1];
    const event = to.match(/^guides\/webhooks\/events\/([\w.]+)$/)?.[1];
    if (error !== undefined) expect(documentedErrors().map(({ code }) => `${code}`)).toContain(error);
    else if (event !== undefined) expect(EVENT_TYPES).toContain(event);
    else
      expect(["page.tsx", "route.ts"].filter((file) => existsSync(path.join(DOCS, to, file)))).not.toEqual(
        [],
      );
  }
});

test("the first page of the documentation links to every guide", () => {
  const guides = PAGES.filter((page) => page.startsWith("guides/") && !page.includes("["));
  expect(guides.length).toBeGreaterThan(9);
  expect(guides.map(path.dirname).filter((guide) => !linksOf("page.tsx").includes(guide))).toEqual([]);
});
