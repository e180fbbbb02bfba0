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

/**
 * Fills the names in a translated sentence, such as `{name}`. Each value keeps its own direction: an Arabic name does not
 * reorder an English sentence.
 */
export function fillHtml(sentence: string, values: Readonly<Record<string, string>>): Html {
  const pieces = sentence.split(/\{(\w+)\}/);
  return html`${pieces.map((piece, index) =>
    index % 2 === 0 ? html`${piece}` : html`<bdi>${values[piece] ?? `{${piece}}`}</bdi>`,
  )}`;
}

function toText(part: Part): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
