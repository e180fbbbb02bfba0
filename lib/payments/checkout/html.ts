import "server-only";

/** Markup that is safe to insert into a page without escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Creates markup from a template. Escapes every value, in text and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const texts = strings.map(
    (text, index) => text + (index < parts.length ? toText(parts[index] ?? null) : ""),
  );
  return new Html(texts.join(""));
}

function toText(part: Part): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
