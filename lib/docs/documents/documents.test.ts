import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { searchDocs } from "@/components/docs/search-docs";
import { listDocuments, toMarkdownFile } from "@/lib/docs/documents/list-documents";
import { listSearchEntries } from "@/lib/docs/documents/list-search-entries";
import { writeFullText, writeLlmsText } from "@/lib/docs/documents/write-llms-text";
import { headingsOf, sectionsOf } from "@/lib/docs/guides/markdown-sections";
import { EVENT_KINDS, EVENT_TYPES } from "@/lib/events/catalog/event-types";
import { baseUrl } from "@/lib/platform/env";
import { documentedErrors } from "@/lib/platform/errors/error-guidance";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";

registerDependencies();

test("headings have anchors, from their text or as written", () => {
  const markdown =
    "Intro\n\n## Send a `link`\n\ntext\n\n## At risk {#at_risk}\n\n```sh\ncode\n```\n\n- **Name**: value";
  expect(headingsOf(markdown)).toEqual([
    { id: "send-a-link", text: "Send a link", depth: 2 },
    { id: "at_risk", text: "At risk", depth: 2 },
  ]);
  expect(sectionsOf(markdown).map(({ text }) => text)).toEqual(["Intro", "text", "Name: value"]);
});

test("the anchors of a page are unique", () => {
  const repeated = listDocuments().filter(({ markdown }) => {
    const ids = headingsOf(markdown())
      .filter(({ depth }) => depth === 2)
      .map(({ id }) => id);
    return new Set(ids).size !== ids.length;
  });
  expect(repeated.map(({ href }) => href)).toEqual([]);
});

test("llms.txt lists every page once, and llms-full.txt contains each page with this instance's URL", () => {
  const index = writeLlmsText();
  const full = writeFullText();
  for (const { href, title } of listDocuments()) {
    expect(index.split(`(${baseUrl()}${href}.md)`)).toHaveLength(2);
    expect(full).toContain(`# ${title}\n`);
  }
  expect(full).not.toContain("trunkline.example.com");
  expect(full).not.toContain("](/");
  expect(full).not.toMatch(/^:::/m);
});

test("every event, reserved ones included, and every error code is a document", () => {
  const paths = listDocuments().map(({ href }) => href);
  for (const type of EVENT_TYPES) {
    expect(paths).toContain(`/docs/guides/webhooks/events/${type}`);
  }
  for (const { code } of documentedErrors()) {
    expect(paths).toContain(`/docs/error/codes/${String(code).charAt(0)}xxx/${code}`);
  }
});

test("a Markdown file begins with its title and contains requests that can be copied", () => {
  const sending = listDocuments().find(({ href }) => href === "/docs/guides/sending");
  const file = sending === undefined ? "" : toMarkdownFile(sending);
  expect(file).toMatch(/^# Send messages\n/);
  expect(file).toContain("POST /v3/chats");
});

test("the search finds a guide, an operation, an event, an error code and a misspelled word", async () => {
  const entries = listSearchEntries();
  const original = globalThis.fetch;
  globalThis.fetch = async () => Response.json(entries);
  try {
    const first = async (text: string) => (await searchDocs(text))[0]?.href;
    expect(await first("2024")).toBe("/docs/error/codes/2xxx/2024");
    expect(await first("message.delivered")).toBe("/docs/guides/webhooks/events/message.delivered");
    expect(await first("idempotency")).toMatch(/^\/docs\/guides\/idempotency/);
    expect(await first("leave a group")).toMatch(/^\/docs\/(guides\/groups|reference\/chats)#/);
    expect((await searchDocs("atachment"))[0]?.title).toMatch(/attachment/i);
    expect(await searchDocs("xyzzyxyzzy")).toEqual([]);
  } finally {
    globalThis.fetch = original;
  }
});

test("docs/webhooks.md lists every event type, and marks those that are reserved", () => {
  const [, text = ""] = readFileSync("docs/webhooks.md", "utf8").split("### Events\n");
  const [section = ""] = text.split("### Versions\n");
  const [, reserved = ""] = /^\*\*Reserved\.\*\* (.*)$/m.exec(section) ?? [];
  const typesIn = (part: string) => EVENT_TYPES.filter((type) => part.includes(`\`${type}\``));

  expect(typesIn(section), "add a new type to a table of ### Events").toEqual(EVENT_TYPES);
  expect(typesIn(reserved)).toEqual(EVENT_TYPES.filter((type) => EVENT_KINDS[type].neverSent));
});
