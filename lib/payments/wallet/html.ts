import "server-only";

/** Markup that is safe to be put into a page as it is. */
export interface Html {
  markup: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A template whose values are text, and escaped, unless they are `Html` themselves; lists are joined, null is nothing. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[] | null)[]
): Html {
  const markup = parts.reduce((text, part, index) => text + part + escaped(values[index] ?? null), "");
  return { markup };
}

function escaped(value: string | Html | readonly Html[] | null): string {
  if (value === null) return "";
  if (typeof value === "string") return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}
