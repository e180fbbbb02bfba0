import "server-only";

/** Markup that is safe to insert into a page without escaping. */
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

/** Creates markup from a template. Escapes every value that is not `Html`, joins lists, and omits null. */
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
