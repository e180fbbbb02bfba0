import { globSync, readdirSync, readFileSync } from "node:fs";
import type { Token, Tokens } from "marked";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { GET } from "@/app/docs/images/[name]/route";
import { Markdown } from "@/components/docs/markdown";
import { androidTransport } from "@/lib/adapters/transports/android/android-transport";
import { findDocument, toMarkdownFile } from "@/lib/docs/documents/list-documents";
import { withInstanceUrl } from "@/lib/docs/documents/write-llms-text";
import { readGuideImage } from "@/lib/docs/guides/guide-images";
import { listGuides } from "@/lib/docs/guides/list-guides";
import { parseMarkdown } from "@/lib/docs/guides/markdown-sections";
import { fieldsOf } from "@/lib/lines/transports/transport-fields";
import { baseUrl } from "@/lib/platform/env";
import { buildSources } from "@/scripts/build.mjs";

const ANDROID = "/docs/guides/lines/android";
/** The width of the text column on a phone of 390 pixels. */
const PHONE_COLUMN = 358;
const LEAST_TEXT = 12;

const files = readdirSync("docs/images").filter((file) => file.endsWith(".svg"));
const guides = listGuides("/docs/");
const android = guides.find(({ href }) => href === ANDROID)?.markdown ?? "";

function imagesIn(tokens: readonly Token[]): Tokens.Image[] {
  return tokens.flatMap((token) => {
    if (token.type === "image") return [token as Tokens.Image];
    if (token.type === "list") return (token as Tokens.List).items.flatMap((item) => imagesIn(item.tokens));
    return "tokens" in token ? imagesIn(token.tokens ?? []) : [];
  });
}

const get = (name: string, query = "") =>
  GET(new Request(`${baseUrl()}/docs/images/${name}${query}`), { params: Promise.resolve({ name }) });

test("guides show every image of the folder, with a description, and nothing else", () => {
  const images = guides.flatMap(({ markdown }) => imagesIn(parseMarkdown(markdown)));
  expect(images.map(({ href }) => href).sort()).toEqual(files.map((file) => `/docs/images/${file}`).sort());
  expect(images.filter(({ text }) => text.length < 40)).toEqual([]);
});

test("a changed image needs another build, which writes its version into the pages", () => {
  const sources = buildSources();
  expect(files.filter((file) => !sources.includes(`docs/images/${file}`))).toEqual([]);
});

/** The names of open elements at the end, or the first that is closed wrongly. */
function openElements(svg: string): string[] {
  const open: string[] = [];
  for (const [, close, name = "", selfClosed] of svg.matchAll(
    /<(\/?)([\w-]+)(?:\s+[\w:-]+="[^"<&]*")*\s*(\/?)>/g,
  )) {
    if (close === "/") {
      if (open.pop() !== name) return [`</${name}>`];
    } else if (selfClosed !== "/") open.push(name);
  }
  return open;
}

describe.each(files)("%s", (file) => {
  const svg = readFileSync(`docs/images/${file}`, "utf8");
  const [, width = "", height = ""] = /^<svg [^>]*width="(\d+)" height="(\d+)" viewBox="/.exec(svg) ?? [];

  test("is well-formed, of the size that it says, and loads and runs nothing", () => {
    expect(openElements(svg)).toEqual([]);
    expect(openElements(svg.replace("</title>", "</titel>"))).toEqual(["</titel>"]);
    const outside = svg.replaceAll(/<[/\w][^<>]*>/g, "");
    expect(outside).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
    expect(svg).toContain(`viewBox="0 0 ${width} ${height}"`);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>\n {2}<title>/);
    expect(svg).not.toMatch(
      /<(script|foreignObject|image|use|a|animate\w*|set)\b|\bon\w+=|href|url\(|@import/i,
    );
  });

  test("has its own ground, colors for both themes, and text that is readable on a phone", () => {
    expect(svg).toContain(`<rect class="ground" width="${width}" height="${height}"`);
    const variables = (text = "") => [...text.matchAll(/(--\w+): #/g)].map(([, name]) => name);
    const [light, dark] = [...svg.matchAll(/:root \{[^}]*\}/g)].map(([text]) => variables(text));
    expect(light?.length).toBeGreaterThan(5);
    expect(dark).toEqual(light);
    expect(svg.replaceAll(/:root \{[^}]*\}/g, "")).not.toMatch(/(fill|stroke)(: |=")(?!none|var\()/);
    const sizes = [...svg.matchAll(/font(?:-size)?: (\d+)px/g)].map(([, size]) => Number(size));
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.min(...sizes) * Math.min(1, PHONE_COLUMN / Number(width))).toBeGreaterThan(LEAST_TEXT);
  });

  test("is served as an image, forever under the URL of its version", async () => {
    const page = renderToStaticMarkup(
      createElement(Markdown, { source: `![What it shows](/docs/images/${file})` }),
    );
    const [, query] = new RegExp(`<img src="/docs/images/${file}(\\?v=\\w{12})"`).exec(page) ?? [];
    expect(page).toContain(` alt="What it shows" width="${width}" height="${height}" loading="lazy"`);

    const answer = await get(file, query);
    expect(answer.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await answer.text()).toBe(svg);
    for (const other of ["", "?v=000000000000"]) {
      expect((await get(file, other)).headers.get("cache-control")).toBe("public, max-age=300");
    }
  });
});

test("only images of the folder are served", async () => {
  for (const name of [
    "none.svg",
    "../settings.md",
    "..%2Fsettings.md",
    "timeline.webp",
    "ANDROID-NETWORK.svg",
  ])
    expect((await get(name)).status, name).toBe(404);
});

test("a page refuses an image that does not exist, has no description or stands within a text", () => {
  const render = (source: string) => () => renderToStaticMarkup(createElement(Markdown, { source }));
  expect(render("![Text](/docs/images/none.svg)")).toThrow("does not exist");
  expect(render("![Text](https://cdn.example.com/android-network.svg)")).toThrow("does not exist");
  expect(render("![](/docs/images/android-network.svg)")).toThrow("without a description");
  expect(render("See ![Text](/docs/images/android-network.svg)")).toThrow("a paragraph of its own");
});

test("a Markdown file keeps the description of an image, and has a URL that resolves", () => {
  const document = findDocument(ANDROID);
  const file = document === undefined ? "" : withInstanceUrl(toMarkdownFile(document));
  for (const { href, text } of imagesIn(parseMarkdown(android))) {
    expect(readGuideImage(href.replace("/docs/images/", ""))).not.toBeNull();
    expect(file).toContain(`![${text}](${baseUrl()}${href})`);
  }
  expect(file).not.toContain("](/");
});

describe("the guide of the Android phone", () => {
  const textIn = (name: string) =>
    [...(readGuideImage(name)?.svg ?? "").matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

  test("shows the fields of the form as the dashboard names them", () => {
    const labels = fieldsOf(androidTransport)
      .filter(({ name }) => ["base_url", "username", "password", "sim"].includes(name))
      .map(({ label, is_required }) => (is_required ? label : `${label} (optional)`));
    expect(textIn("android-transport.svg")).toEqual(expect.arrayContaining(labels));
    const form = globSync("components/lines/transport/*.tsx")
      .map((file) => readFileSync(file, "utf8"))
      .join("");
    for (const shown of ["Save connection", "Test connection", "The connection works."]) {
      expect(form).toContain(shown);
      expect(textIn("android-transport.svg")).toContain(shown);
    }
  });

  test("explains only reasons that the transport gives", () => {
    const source = globSync("lib/adapters/transports/android/*.ts", { exclude: ["**/*.test.ts"] })
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const reasons = [...android.matchAll(/^- \*\*"([^"]+)"\*\*: /gm)].map(([, reason = ""]) => reason);
    expect(reasons.length).toBeGreaterThan(6);
    expect(reasons.filter((reason) => !source.includes(reason))).toEqual([]);
  });

  test("has a step for every number in an image, below it", () => {
    const sections = android
      .split(/^## /m)
      .filter((section) => section.includes("![") && /^1\. /m.test(section));
    const numbers = sections.map((section) => {
      const [, name = ""] = /\/docs\/images\/([\w-]+\.svg)/.exec(section) ?? [];
      const marks = [...(readGuideImage(name)?.svg ?? "").matchAll(/class="number"[^>]*>(\d)</g)];
      const steps = [...section.matchAll(/^(\d)\. /gm)].map(([, step]) => step);
      return {
        name,
        missing: marks.flatMap(([, mark]) => (steps.includes(mark) ? [] : mark)),
        marks: marks.length,
      };
    });
    expect(numbers.length).toBe(4);
    expect(numbers.filter(({ missing, marks }) => missing.length > 0 || marks === 0)).toEqual([]);
  });
});
