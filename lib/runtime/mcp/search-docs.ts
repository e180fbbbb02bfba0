import "server-only";
import MiniSearch from "minisearch";
import { EVENT_KINDS } from "@/lib/events/event-types";
import { docsUrl, memoizePerEnv } from "@/lib/platform/env";
import { errorDocUrl } from "@/lib/platform/error-docs/error-doc-url";
import { documentedErrors } from "@/lib/platform/error-docs/error-guidance";
import { referenceGroups } from "@/lib/runtime/docs/api-reference";
import type { DocumentedOperation } from "@/lib/runtime/docs/documented-operations";
import { documentedOperations } from "@/lib/runtime/docs/simulator-operations";
import { FAULT_EFFECTS } from "@/lib/simulator/fault-effects";

/** A searchable section of the documentation. */
interface Section {
  id: string;
  kind: "operation" | "event" | "error" | "fault";
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
  const all = [...operationSections(), ...eventSections(), ...errorSections(), ...faultSections()];
  const index = new MiniSearch<Section>({ fields: ["title", "text"] });
  index.addAll(all);
  return { index, sections: new Map(all.map((section) => [section.id, section])) };
});

function operationSections(): Section[] {
  return [
    ...referenceGroups().flatMap(({ slug, operations }) =>
      operations.map((operation) => toSection(operation, `${docsUrl()}/reference/${slug}`)),
    ),
    ...documentedOperations().map((operation) => toSection(operation, `${docsUrl()}/guides/simulator`)),
  ];
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

function eventSections(): Section[] {
  return Object.entries(EVENT_KINDS).map(([type, { summary, group }]) => ({
    id: `event ${type}`,
    kind: "event",
    title: type,
    text: `Webhook event. ${summary} ${group}.`,
    url: `${docsUrl()}/guides/webhooks/events/${type}`,
  }));
}

function errorSections(): Section[] {
  return documentedErrors().map(({ code, title, means, fix }) => ({
    id: `error ${code}`,
    kind: "error",
    title: `Error ${code}: ${title}`,
    text: `${means} ${fix}`,
    url: errorDocUrl(code),
  }));
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
