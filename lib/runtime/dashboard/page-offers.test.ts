import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Right } from "@/lib/platform/rights/right";
import { roleHasRight } from "@/lib/platform/rights/role-rights";
import type { Route } from "@/lib/runtime/http/endpoint";

const PAGES = "app/(dashboard)";
const PEOPLE = [
  { role: "viewer" },
  { role: "support" },
  { role: "developer" },
  { role: "admin" },
  { role: "viewer", isOperator: true },
] as const;

const routeFiles = import.meta.glob<Record<string, unknown>>("/app/api/**/route.ts", { eager: true });
const routes = Object.entries(routeFiles).map(([file, methods]) => ({
  pattern: new RegExp(`^${file.replace(/^\/app|\/route\.ts$/g, "").replace(/\[[^\]]+\]/g, "[^/]+")}$`),
  methods,
}));

/** A write request that a source file sends to the private API. */
interface Write {
  method: string;
  url: string;
  right: Right | undefined;
}

/** `use-send-plan` receives the composer's path and only sends dry runs. */
const PATH_FROM_CALLER = ["components/composer/use-send-plan.ts"];
/** It sends what its user wrote where messages may be sent, before the user leaves the account. */
const NOT_OFFERED = ["@/components/composer/ask-to-leave"];
/** The requests that send something, or decide when it is sent. */
const SEND = /^(POST \/api\/chats(\/x\/(messages|polls|voice-memos))?|PATCH \/api\/scheduled-messages\/x)$/;
const METHOD = /method:\s*"(POST|PUT|PATCH|DELETE)"(?! \|)/g;

function writesOf(piece: string, source: string): Write[] {
  if (PATH_FROM_CALLER.includes(piece)) return [];
  return [...source.matchAll(METHOD)].map(({ 1: method = "", index }) => {
    const url = urlOf(source, index);
    const found = routes.find(({ pattern, methods }) => pattern.test(url) && methods[method] !== undefined);
    return { method, url, right: (found?.methods[method] as Route | undefined)?.contract.right };
  });
}

/** The path of the request whose method is at `index`: the last path before it. */
function urlOf(source: string, index: number): string {
  const before = source.slice(0, index);
  // Actions on a message share one sender (components/chats/timeline/thread.tsx).
  if (/\bact\(\{\s*$/.test(before)) {
    return `/api/messages/x${/^[^}]*?path: "([^"]+)"/.exec(source.slice(index))?.[1] ?? ""}`;
  }
  const named = [...before.matchAll(/[`"](\/api\/[^`"]*)[`"]/g)].at(-1)?.[1] ?? "";
  return named.replace(/\$\{queryString.*$|\?.*$/, "").replace(/\$\{[^}]*\}/g, "x");
}

function fileOf(module: string): string | undefined {
  return [`${module}.tsx`, `${module}.ts`].find((file) => existsSync(file));
}

/** The file and all components that it imports, directly or indirectly. */
function piecesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, module = ""] of readFileSync(file, "utf8").matchAll(
    /(?:from |import\()"@\/((?:components|lib\/client|lib\/runtime\/dashboard)\/[^"]+)"/g,
  )) {
    const imported = NOT_OFFERED.includes(`@/${module}`) ? undefined : fileOf(module);
    if (imported !== undefined) piecesOf(imported, found);
  }
  return found;
}

const holds = (right: Right) => PEOPLE.map((who) => roleHasRight(who, right));
/** Whether every role with the right `one` also has the right `other`. */
const implies = (one: Right, other: Right) => holds(one).every((has, at) => !has || holds(other)[at]);

const units = readdirSync(PAGES, { recursive: true, encoding: "utf8" })
  .filter((file) => /^(page|layout)\.tsx$/.test(path.basename(file)))
  .map((file) => {
    const pieces = [...piecesOf(path.join(PAGES, file))].map((piece) => ({
      piece,
      source: readFileSync(piece, "utf8"),
    }));
    const asked = pieces.flatMap(({ source }) => [
      ...source.matchAll(/(?:requireAccount|\bmay)\("(\w+)"\)/g),
    ]);
    return {
      file,
      checks: asked.map(([, right]) => right as Right),
      writes: pieces.flatMap(({ piece, source }) =>
        writesOf(piece, source).map((write) => ({ piece, ...write })),
      ),
    };
  });

test("every change the interface sends goes to a route that names its right", () => {
  const writes = units.flatMap((unit) => unit.writes);
  expect(new Set(writes.map(({ method, url }) => `${method} ${url}`)).size).toBeGreaterThan(50);
  expect(writes.filter(({ right }) => right === undefined)).toEqual([]);
});

test("whatever people send is sent only as them: the session may be another one by now", () => {
  const sends = units
    .flatMap(({ writes }) => writes)
    .filter(({ method, url }) => SEND.test(`${method} ${url}`));
  const pieces = [...new Set(sends.map(({ piece }) => piece))];
  expect(pieces.length).toBeGreaterThan(6);
  expect(pieces.filter((piece) => !readFileSync(piece, "utf8").includes("senderHeader(sender)"))).toEqual([]);
});

test("whatever people send or request to be paid has a key: an attempt after a lost answer does nothing twice", () => {
  const writes = units.flatMap((unit) => unit.writes).filter(({ method }) => method === "POST");
  const isKeyed = (url: string) => SEND.test(`POST ${url}`) || url === "/api/payment-requests";
  const pieces = [...new Set(writes.filter(({ url }) => isKeyed(url)).map(({ piece }) => piece))];
  expect(pieces).toContain("components/composer/memo-dialog.tsx");
  expect(pieces).toContain("components/payments/create-payment-dialog.tsx");
  expect(pieces.filter((piece) => !/idempotency[_-]key/.test(readFileSync(piece, "utf8")))).toEqual([]);
});

describe.each(units.filter(({ writes }) => writes.length > 0))("$file", ({ checks, writes }) => {
  test("checks the right of each change it offers", () => {
    const unchecked = writes.filter(({ right }) => right && !checks.some((check) => implies(check, right)));
    expect(
      unchecked.map(({ piece, method, url, right }) => `${piece}: ${method} ${url} needs ${right}`),
    ).toEqual([]);
  });
});
