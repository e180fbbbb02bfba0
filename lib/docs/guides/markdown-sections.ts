import { marked, type Token, type Tokens } from "marked";

/** A heading of a document, for anchors and the table of contents. */
export interface DocumentHeading {
  id: string;
  text: string;
  depth: number;
}

/** Parses GitHub-flavored Markdown into block tokens. */
export function parseMarkdown(markdown: string): Token[] {
  return marked.lexer(markdown);
}

/**
 * The anchor and the text of a heading. The anchor is the text in lowercase with hyphens, or the id of a heading that
 * ends in `{#id}`.
 */
export function toHeading({ text, depth }: Pick<Tokens.Heading, "text" | "depth">): DocumentHeading {
  const [, shown = "", explicit] = /^(.*?)(?: *\{#([\w-]+)\})?$/.exec(text) ?? [];
  const plain = shown.replaceAll("`", "");
  const id =
    explicit ??
    plain
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "");
  return { id, text: plain, depth };
}

/** The headings of a Markdown text, in document order. */
export function headingsOf(markdown: string): DocumentHeading[] {
  return parseMarkdown(markdown)
    .filter((token): token is Tokens.Heading => token.type === "heading")
    .map(toHeading);
}

/** A part of a document below one heading, as plain text. The first part, before any heading, has no heading. */
export interface DocumentSection {
  heading: DocumentHeading | null;
  text: string;
}

/** Splits a Markdown text into its sections without code blocks, for the search index. */
export function sectionsOf(markdown: string): DocumentSection[] {
  const sections: DocumentSection[] = [{ heading: null, text: "" }];
  for (const token of parseMarkdown(markdown)) {
    if (token.type === "heading") sections.push({ heading: toHeading(token as Tokens.Heading), text: "" });
    else if (token.type !== "code") {
      const last = sections.at(-1);
      if (last !== undefined) last.text = `${last.text} ${plainText(token)}`.trim();
    }
  }
  return sections;
}

/** The text of a token without formatting. */
export function plainText(token: Token): string {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .flat()
      .map(({ tokens }) => tokens.map(plainText).join(""))
      .join(" ");
  }
  if (token.type === "list") return (token as Tokens.List).items.map((item) => plainText(item)).join(" ");
  if ("tokens" in token && token.tokens) return token.tokens.map(plainText).join("");
  return "text" in token ? String(token.text) : "";
}
