import "server-only";
import MiniSearch from "minisearch";
import { listSearchEntries } from "@/lib/docs/documents/list-search-entries";
import { ERRORS, EVENTS, REFERENCE, type SearchEntry } from "@/lib/docs/documents/search-entry";
import { referenceGroups } from "@/lib/docs/reference/api-reference";
import type { DocumentedOperation } from "@/lib/docs/reference/documented-operations";
import { docsUrl, memoizePerEnv } from "@/lib/platform/env";
import { FAULT_EFFECTS } from "@/lib/simulator/faults/fault-effects";

/** A searchable section of the documentation. */
interface Section {
  id: string;
  kind: "operation" | "event" | "error" | "guide" | "fault";
  title: string;
  text: string;
  url: string;
  /** For an operation: its parameters and the fields of its body. */
  fields?: { name: string; type: string; required: boolean; description: string }[];
}

export type FoundSection = Omit<Section, "id">;

/** The sections of the documentation that match a question best, best first. */
export function searchDocs(text: string, limit: number): FoundSection[] {
  const { index, sections } = documentation();
  return index
    .search(text, { boost: { title: 3 }, prefix: true, fuzzy: 0.15 })
    .slice(0, limit)
    .flatMap(({ id }) => sections.get(String(id)) ?? [])
    .map(({ id: _, ...section }) => section);
}

const documentation = memoizePerEnv(() => {
  const all = [...operationSections(), ...pageSections(), ...faultSections()];
  const index = new MiniSearch<Section>({ fields: ["title", "text"] });
  index.addAll(all);
  return { index, sections: new Map(all.map((section) => [section.id, section])) };
});

function operationSections(): Section[] {
  return referenceGroups().flatMap(({ slug, operations }) =>
    operations.map((operation) => toSection(operation, `${docsUrl()}/reference/${slug}`)),
  );
}

function toSection({ id, method, path, ...operation }: DocumentedOperation, page: string): Section {
  const fields = [...operation.parameters, ...(operation.body?.fields ?? [])];
  return {
    id: `operation ${method} ${path}`,
    kind: "operation",
    title: `${method} ${path}: ${operation.summary}`,
    text: operation.description,
    url: `${page}#${id}`,
    fields: fields.map(({ name, type, isRequired, description }) => ({
      name,
      type,
      required: isRequired,
      description,
    })),
  };
}

function pageSections(): Section[] {
  return listSearchEntries()
    .filter(({ group }) => group !== REFERENCE)
    .map((entry) => ({
      id: `page ${entry.href}`,
      kind: kindOf(entry),
      title: entry.heading === "" ? entry.title : `${entry.title}: ${entry.heading}`,
      text: [entry.keywords, entry.text].filter(Boolean).join(" "),
      url: `${docsUrl()}${entry.href.slice("/docs".length)}`,
    }));
}

function kindOf({ group }: SearchEntry): Section["kind"] {
  if (group === EVENTS) return "event";
  return group === ERRORS ? "error" : "guide";
}

function faultSections(): Section[] {
  return FAULT_EFFECTS.map(({ name, effect }) => ({
    id: `fault ${name}`,
    kind: "fault",
    title: `Simulator fault ${name}`,
    text: effect,
    url: `${docsUrl()}/guides/simulator#faults`,
  }));
}
