import "server-only";
import { type DocsDocument, listDocuments } from "@/lib/docs/documents/list-documents";
import { ERRORS, EVENTS, REFERENCE, type SearchEntry } from "@/lib/docs/documents/search-entry";
import { sectionsOf } from "@/lib/docs/guides/markdown-sections";
import { referenceGroups } from "@/lib/docs/reference/api-reference";
import type { DocumentedOperation } from "@/lib/docs/reference/documented-operations";
import { eventFields } from "@/lib/docs/reference/event-fields";
import { EVENT_KINDS, EVENT_TYPES, type EventType, eventVersions } from "@/lib/events/catalog/event-types";

/**
 * Everything that the search of the documentation finds: each section of a guide, each operation, event and error code.
 * Operations and events are also found by the names of their fields.
 */
export function listSearchEntries(): SearchEntry[] {
  const documents = listDocuments().filter(({ section }) => section !== REFERENCE && section !== EVENTS);
  return [
    ...documents.flatMap(toEntries),
    ...EVENT_TYPES.map(toEventEntry),
    ...referenceGroups().flatMap(({ slug, operations }) =>
      operations.map((operation) => toOperationEntry(slug, operation)),
    ),
  ];
}

function toEntries({
  href,
  title,
  description,
  section: group,
  keywords,
  markdown,
}: DocsDocument): SearchEntry[] {
  const sections = sectionsOf(markdown());
  // The page of an error code is short: one entry finds it.
  if (group === ERRORS) {
    return [
      { href, title, heading: "", group, text: [description, ...sections.map(({ text }) => text)].join(" ") },
    ];
  }
  return sections.map(({ heading, text }) =>
    heading === null
      ? { href, title, heading: "", group, ...(keywords && { keywords }), text: `${description} ${text}` }
      : { href: `${href}#${heading.id}`, title, heading: heading.text, group, text },
  );
}

function toEventEntry(type: EventType): SearchEntry {
  const version = eventVersions(type).at(-1);
  const fields = version === undefined ? [] : eventFields(type, version).map(({ name }) => name);
  return {
    href: `/docs/guides/webhooks/events/${type}`,
    title: type,
    heading: "",
    group: EVENTS,
    text: `${EVENT_KINDS[type].summary} ${fields.join(" ")}`,
  };
}

function toOperationEntry(slug: string, operation: DocumentedOperation): SearchEntry {
  const { id, method, path, summary, description, parameters, body } = operation;
  const fields = [...parameters, ...(body?.fields ?? [])].map(({ name }) => name);
  return {
    href: `/docs/reference/${slug}#${id}`,
    title: summary,
    heading: `${method} ${path}`,
    group: REFERENCE,
    text: `${description} ${fields.join(" ")}`,
  };
}
