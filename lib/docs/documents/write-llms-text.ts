import "server-only";
import { listDocuments, toMarkdownFile } from "@/lib/docs/documents/list-documents";
import { SAMPLE_URL } from "@/lib/docs/reference/request-snippets";
import { baseUrl } from "@/lib/platform/env";

const SUMMARY = `# Trunkline

> Trunkline is a self-hosted API for messages and payments over iMessage, RCS and SMS. A program sends a message to a
> chat with a Bearer token, gets 202 at once and learns the outcome from signed webhooks. A simulator replaces phones
> and networks in a sandbox.`;

/** The index of the documentation for language models (llms.txt): every page with its description. */
export function writeLlmsText(): string {
  const groups = Map.groupBy(listDocuments(), ({ section }) => section);
  const sections = [...groups].map(([section, documents]) => {
    const links = documents.map(
      ({ href, title, description }) => `- [${title}](${baseUrl()}${href}.md): ${description}`,
    );
    return `## ${section}\n\n${links.join("\n")}`;
  });
  const files = [
    `- [OpenAPI document](${baseUrl()}/docs/openapi.json): every operation and event of the API`,
    `- [OpenAPI document of the simulator](${baseUrl()}/docs/openapi-simulator.json)`,
    `- [Agent skill](${baseUrl()}/docs/skill.md): instructions for coding agents`,
    `- [All pages in one file](${baseUrl()}/llms-full.txt)`,
  ];
  return `${SUMMARY}\n\n${sections.join("\n\n")}\n\n## Files\n\n${files.join("\n")}\n`;
}

/** The whole documentation as one Markdown file (llms-full.txt). */
export function writeFullText(): string {
  const documents = listDocuments().map(
    (document) => `<!-- ${baseUrl()}${document.href} -->\n\n${toMarkdownFile(document)}`,
  );
  return withInstanceUrl(`${SUMMARY}\n\n${documents.join("\n")}`);
}

/** A text with the URL of this instance in place of the sample URL, and before the paths of links and images. */
export function withInstanceUrl(text: string): string {
  return text.replaceAll(SAMPLE_URL, baseUrl()).replaceAll("](/", `](${baseUrl()}/`);
}
