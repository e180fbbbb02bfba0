import "server-only";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expandDirectives } from "@/lib/docs/guides/guide-directives";

const CONTENT = path.resolve("docs/site");

/** A guide or quickstart: a Markdown file with a title, a description and the words that people search it by. */
export interface Guide {
  /** The path of the page, such as `/docs/guides/chats`. */
  href: string;
  title: string;
  description: string;
  keywords: string;
  /** The text below the title, with generated tables in place. */
  markdown: string;
}

/** Reads the Markdown file of a page. Returns null when the page has no Markdown file. */
export function readGuide(href: string): Guide | null {
  const name = href.replace(/^\/docs\//, "");
  if (!/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(name)) return null;
  const file = path.join(CONTENT, `${name}.md`);
  if (!existsSync(file)) return null;
  const { title, description, keywords, body } = parseFrontMatter(readFileSync(file, "utf8"), name);
  return { href, title, description, keywords, markdown: expandDirectives(body) };
}

function parseFrontMatter(source: string, name: string) {
  const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  const fields = new Map(head.split("\n").map((line) => splitOnce(line, ": ")));
  const title = fields.get("title");
  const description = fields.get("description");
  const keywords = fields.get("keywords");
  if (!title || !description || !keywords)
    throw new Error(`${name}.md must begin with a title, a description and keywords`);
  return { title, description, keywords, body: body.trim() };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
