import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { listDocuments } from "@/lib/docs/documents/list-documents";
import { DOCS_NAVIGATION } from "@/lib/docs/guides/docs-navigation";
import { headingsOf } from "@/lib/docs/guides/markdown-sections";
import { readGuide } from "@/lib/docs/guides/read-guide";
import { referenceGroups } from "@/lib/docs/reference/api-reference";
import { toLine } from "@/lib/lines/lines/line";
import { errorDocUrl } from "@/lib/platform/errors/error-doc-url";
import { documentedErrors } from "@/lib/platform/errors/error-guidance";
import { ERRORS } from "@/lib/platform/errors/errors";
import type { Line } from "@/lib/platform/prisma/client";
import { HealthStatus } from "@/lib/platform/prisma/enums";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";

registerDependencies();

const DOCS = path.resolve("app/docs");

test("every error's doc_url leads to its page", () => {
  const pages = new Set(documentedErrors().map(({ code }) => code));
  for (const { code } of Object.values(ERRORS)) {
    expect(pages).toContain(code);
    expect(new URL(errorDocUrl(code)).pathname).toBe(`/docs/error/codes/${`${code}`.charAt(0)}xxx/${code}/`);
  }
  expect(existsSync(path.join(DOCS, "error/codes/[range]/[code]/page.tsx"))).toBe(true);
});

function anchorsOf(href: string): string[] {
  return headingsOf(readGuide(href)?.markdown ?? "").map(({ id }) => id);
}

test("every health status has its place on the page its doc_url names", () => {
  const anchors = anchorsOf("/docs/guides/chats/chat-health");
  for (const status of Object.values(HealthStatus)) expect(anchors).toContain(status.toLowerCase());
});

test("every reputation of a line has its place on the page its doc_url names", () => {
  const anchors = anchorsOf("/docs/guides/lines/reputation");
  for (const status of ["HEALTHY", "AT_RISK", "CRITICAL"] as const) {
    const line = toLine({ reputation: status, createdAt: new Date() } as Line);
    expect(new URL(line.reputation.doc_url).pathname).toBe("/docs/guides/lines/reputation");
    expect(anchors).toContain(new URL(line.reputation.doc_url).hash.slice(1));
  }
});

test("the reference of the simulator shows each of its operations", () => {
  const shown = referenceGroups()
    .find(({ slug }) => slug === "simulator")
    ?.operations.map(({ method, path: at }) => `${method} ${at}`);
  const served = operationsOf(routes)
    .filter(({ path: at }) => at.startsWith("/simulator"))
    .map(({ method, path: at }) => `${method} ${at}`);
  expect(shown?.sort()).toEqual(served.sort());
});

/** The pages of the documentation: those with a page file of their own, and the documents. */
const FILES = readdirSync(DOCS, { recursive: true, encoding: "utf8" })
  .filter((file) => /^(page\.tsx|route\.ts)$/.test(path.basename(file)) && !file.includes("["))
  .map((file) => path.posix.join("/docs", path.dirname(file)));
const DOCUMENTS = listDocuments();
const IMAGES = readdirSync("docs/images")
  .filter((file) => file.endsWith(".svg"))
  .map((file) => `/docs/images/${file}`);
const PAGES = new Set([
  ...FILES,
  ...IMAGES,
  "/docs/explorer",
  "/docs/skill.md",
  ...DOCUMENTS.map(({ href }) => href),
]);

/** The links to pages of the documentation in a text: Markdown links and `href` attributes. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/(?:\]\(|href[=:] ?["'{`]*)(\/docs[\w./#-]*)/g)].map(([, to = ""]) => to);
}

test("every link between pages of the documentation leads to a page and to a heading of the page", () => {
  const sources = [
    ...DOCUMENTS.map(({ href, markdown }) => ({ from: href, text: markdown() })),
    ...readdirSync(path.resolve("app"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".tsx"))
      .map((file) => ({ from: file, text: readFileSync(path.resolve("app", file), "utf8") })),
  ];
  const links = sources.flatMap(({ from, text }) => linksIn(text).map((to) => ({ from, to })));
  expect(links.length).toBeGreaterThan(200);
  const broken = links.filter(({ to }) => {
    const [page = "", anchor] = to.replace(/\/$/, "").split("#");
    if (!PAGES.has(page) && !PAGES.has(page.replace(/\.md$/, "")) && page !== "/docs/guides/webhooks/events")
      return true;
    return anchor !== undefined && page !== "/docs/explorer" && !anchorsOf(page).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test("the navigation lists every Markdown file of the guides once", () => {
  const root = path.resolve("docs/site");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && file !== "skill.md")
    .map((file) => `/docs/${file.replace(/\.md$/, "")}`);
  const listed = DOCS_NAVIGATION.flatMap(({ pages }) => pages.map(({ href }) => href));
  expect(new Set(listed).size).toBe(listed.length);
  expect(files.length).toBeGreaterThan(25);
  expect(files.filter((file) => !listed.includes(file))).toEqual([]);
  expect(listed.filter((href) => !PAGES.has(href))).toEqual([]);
});
