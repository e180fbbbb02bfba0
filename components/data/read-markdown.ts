export interface MarkdownSpan {
  text: string;
  strong: boolean;
}

export type MarkdownBlock =
  | { type: "heading"; spans: MarkdownSpan[] }
  | { type: "paragraph"; spans: MarkdownSpan[] }
  | { type: "bullets" | "numbers"; items: MarkdownSpan[][] };

type ListKind = "bullets" | "numbers";

/**
 * Parses the Markdown of audit reports: headings, lists and strong text. Everything else stays plain text, so that no
 * other markup is ever rendered.
 */
export function readMarkdown(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const heading = /^#{1,6}\s+(.*)$/.exec(trimmed)?.[1];
    const item = readItem(trimmed);
    if (heading !== undefined) blocks.push({ type: "heading", spans: readSpans(heading) });
    else if (item === null) blocks.push({ type: "paragraph", spans: readSpans(trimmed) });
    else addItem(blocks, item.type, readSpans(item.text));
  }
  return blocks;
}

function readItem(line: string): { type: ListKind; text: string } | null {
  const [, mark, text] = /^([-*]|\d+\.)\s+(.*)$/.exec(line) ?? [];
  if (mark === undefined || text === undefined) return null;
  return { type: mark === "-" || mark === "*" ? "bullets" : "numbers", text };
}

function addItem(blocks: MarkdownBlock[], type: ListKind, spans: MarkdownSpan[]): void {
  const last = blocks.at(-1);
  if (last !== undefined && last.type === type && "items" in last) last.items.push(spans);
  else blocks.push({ type, items: [spans] });
}

function readSpans(text: string): MarkdownSpan[] {
  return text
    .split(/\*\*(.+?)\*\*/)
    .map((part, index) => ({ text: part, strong: index % 2 === 1 }))
    .filter((span) => span.text !== "");
}
