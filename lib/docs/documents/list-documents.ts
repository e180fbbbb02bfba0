import "server-only";
import { DOCS_NAVIGATION } from "@/lib/docs/guides/docs-navigation";
import { errorPath, expandDirectives } from "@/lib/docs/guides/guide-directives";
import { readGuide } from "@/lib/docs/guides/read-guide";
import { referenceGroups } from "@/lib/docs/reference/api-reference";
import { describeFields, describeOperation, jsonBlock } from "@/lib/docs/reference/describe-operation";
import { eventFields } from "@/lib/docs/reference/event-fields";
import { EVENT_KINDS, EVENT_TYPES, type EventType, eventVersions } from "@/lib/events/catalog/event-types";
import { exampleEvent } from "@/lib/events/catalog/render-event";
import { type DocumentedError, documentedErrors } from "@/lib/platform/errors/error-guidance";
import { RETRY_SENTENCES } from "@/lib/platform/errors/guidance";

/** A page of the documentation as a document, for Markdown files, llms.txt and the search index. */
export interface DocsDocument {
  /** The path of the page. */
  href: string;
  title: string;
  description: string;
  section: string;
  /** Words that people search the page by. */
  keywords?: string;
  /** The text below the title. */
  markdown(): string;
}

/** Every page of the documentation, in reading order: guides, webhook events, the API reference and error codes. */
export function listDocuments(): DocsDocument[] {
  return [...guides(), ...events(), ...reference(), ...errors()];
}

/** The document of a page, or undefined when the page does not exist. */
export function findDocument(href: string): DocsDocument | undefined {
  return listDocuments().find((document) => document.href === href);
}

/** A document as a complete Markdown file. */
export function toMarkdownFile({ title, description, markdown }: DocsDocument): string {
  return `# ${title}\n\n${description}\n\n${markdown()}\n`;
}

function guides(): DocsDocument[] {
  return DOCS_NAVIGATION.flatMap(({ title: section, pages }) =>
    pages.flatMap(({ href }) => {
      const guide = readGuide(href);
      if (guide === null) return [];
      const { title, description, keywords, markdown } = guide;
      return [{ href, title, description, keywords, section, markdown: () => markdown }];
    }),
  );
}

function events(): DocsDocument[] {
  const index: DocsDocument = {
    href: "/docs/guides/webhooks/events",
    title: "Webhook events",
    description: "Every event type you can subscribe to and when Trunkline sends it.",
    section: "Events and errors",
    markdown: () => expandDirectives(":::event-types"),
  };
  return [index, ...EVENT_TYPES.map(toEvent)];
}

const RESERVED =
  "This event type is reserved. Subscriptions accept it, and Trunkline never sends it. `GET /v3/webhook-events` marks it with `reserved: true`.";

function toEvent(type: EventType): DocsDocument {
  return {
    href: `/docs/guides/webhooks/events/${type}`,
    title: type,
    description: EVENT_KINDS[type].summary,
    section: "Webhook events",
    markdown() {
      if (EVENT_KINDS[type].neverSent) return RESERVED;
      const version = eventVersions(type).at(-1);
      if (version === undefined) return "";
      const fields = describeFields("Fields of data", eventFields(type, version));
      return [...fields, ...jsonBlock(exampleEvent(type, version))].join("\n\n");
    },
  };
}

function reference(): DocsDocument[] {
  return referenceGroups().map(({ slug, name, description, operations }) => ({
    href: `/docs/reference/${slug}`,
    title: `${name} reference`,
    description,
    section: "API reference",
    markdown: () => operations.map(describeOperation).join("\n\n"),
  }));
}

function errors(): DocsDocument[] {
  const index: DocsDocument = {
    href: "/docs/error/codes",
    title: "Error codes",
    description: "The cause of every API error code, the action to take and whether to retry.",
    section: "Reference",
    markdown: () => expandDirectives(":::error-codes"),
  };
  return [index, ...documentedErrors().map(toError)];
}

function toError({ code, title, statuses, means, fix, retry }: DocumentedError): DocsDocument {
  return {
    href: errorPath(code),
    title: `${code} ${title}`,
    description: `HTTP ${statuses.join(", ")}. ${means}`,
    section: "Error codes",
    markdown: () =>
      [`## Cause`, means, `## How to fix it`, fix, `## Can I retry?`, RETRY_SENTENCES[retry]].join("\n\n"),
  };
}
