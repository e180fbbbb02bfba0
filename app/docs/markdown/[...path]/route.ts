import { readFile } from "node:fs/promises";
import path from "node:path";
import { findDocument, toMarkdownFile } from "@/lib/docs/documents/list-documents";
import { textResponse } from "@/lib/docs/documents/text-response";
import { withInstanceUrl } from "@/lib/docs/documents/write-llms-text";

type MarkdownContext = { params: Promise<{ path: string[] }> };

/** A page of the documentation as Markdown. next.config.mjs rewrites `/docs/….md` to this route. */
export async function GET(_: Request, { params }: MarkdownContext): Promise<Response> {
  const name = (await params).path.join("/");
  if (name === "skill") {
    return textResponse(
      withInstanceUrl(await readFile(path.resolve("docs/site/skill.md"), "utf8")),
      "text/markdown",
    );
  }
  const document = findDocument(`/docs/${name}`);
  if (document === undefined) return new Response("This page does not exist.\n", { status: 404 });
  return textResponse(withInstanceUrl(toMarkdownFile(document)), "text/markdown");
}
