import Ajv, { type AnySchema } from "ajv/dist/2020";
import type { Tokens } from "marked";
import { expect, test } from "vitest";
import { listGuides } from "@/lib/runtime/docs/list-guides";
import { parseMarkdown } from "@/lib/runtime/docs/markdown-sections";
import { parseRequest, requestSnippets } from "@/lib/runtime/docs/request-snippets";
import api from "@/openapi.json";
import simulator from "@/openapi-simulator.json";

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: AnySchema }> };
}
type Document = { paths: Record<string, Record<string, Operation>>; components?: { schemas: object } };

const DOCUMENTS = [api, simulator] as unknown as Document[];
const SCHEMAS = new Map(
  DOCUMENTS.map((document) => [document, new Ajv({ strict: false, validateFormats: false })]),
);
for (const [document, ajv] of SCHEMAS) ajv.addSchema({ $id: "api", components: document.components });
const GUIDES = listGuides("/docs/");

/** The code blocks of a Markdown text, those inside lists included. */
function codeBlocks(tokens: ReturnType<typeof parseMarkdown>): Tokens.Code[] {
  return tokens.flatMap((token) => {
    if (token.type === "code") return [token as Tokens.Code];
    if (token.type === "list") return (token as Tokens.List).items.flatMap((item) => codeBlocks(item.tokens));
    return [];
  });
}

const BLOCKS = GUIDES.flatMap(({ href, markdown }) =>
  codeBlocks(parseMarkdown(markdown)).map((block) => ({ href, block })),
);
const REQUESTS = BLOCKS.filter(({ block }) => block.lang === "http");

function findOperation(method: string, path: string): { document: Document; operation: Operation } | null {
  for (const document of DOCUMENTS) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation !== undefined) return { document, operation };
  }
  return null;
}

/** A schema whose references lead into the document's components. */
function withAbsoluteReferences(schema: AnySchema): AnySchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'));
}

function problemOf(text: string): string | null {
  const { method, path, body } = parseRequest(text);
  const [pathname = "", query = ""] = path.split("?");
  const found = findOperation(method, pathname);
  if (found === null) return `${method} ${path} is not an operation`;
  const { document, operation } = found;
  const known = operation.parameters?.filter((each) => each.in === "query").map(({ name }) => name) ?? [];
  const unknown = [...new URLSearchParams(query).keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0) return `${method} ${path} has no parameter ${unknown.join(", ")}`;
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if ((schema === undefined) !== (body === undefined)) return `${method} ${path} has a body, or lacks one`;
  if (schema === undefined) return null;
  const ajv = SCHEMAS.get(document);
  const isValid = ajv?.validate(withAbsoluteReferences(schema), body);
  return isValid ? null : `${method} ${path}: ${ajv?.errorsText()}`;
}

test("every request in a guide is an operation of the API with a valid body", () => {
  expect(REQUESTS.length).toBeGreaterThan(40);
  const problems = REQUESTS.map(({ href, block }) => ({ href, problem: problemOf(block.text) }));
  expect(problems.filter(({ problem }) => problem !== null)).toEqual([]);
});

test("the check of requests finds an unknown path, parameter and field", () => {
  expect(problemOf("GET /v3/chat")).toContain("is not an operation");
  expect(problemOf("GET /v3/chats?form=1")).toContain("has no parameter form");
  expect(problemOf('POST /v3/chats\n\n{ "from": "+15550100001" }')).toContain("to");
});

test("every guide explains with text, and every JSON block is JSON", () => {
  for (const { block } of BLOCKS.filter(({ block }) => block.lang === "json")) {
    expect(() => JSON.parse(block.text)).not.toThrow();
  }
  expect(
    GUIDES.filter(({ description, markdown }) => description.length < 30 || markdown.length < 600).map(
      ({ href }) => href,
    ),
  ).toEqual([]);
});

test("a request is written in every language with its path parameters as variables", () => {
  const snippets = requestSnippets(
    parseRequest(
      `POST /v3/chats/{chatId}/messages\n\n{ "message": { "parts": [], "ok": true, "none": null } }`,
    ),
  );
  expect(snippets.curl).toContain('"https://trunkline.example.com/v3/chats/$CHAT_ID/messages"');
  expect(snippets.typescript).toContain(`client.post(\`/v3/chats/\${chatId}/messages\``);
  expect(snippets.python).toContain('f"https://trunkline.example.com/v3/chats/{chat_id}/messages"');
  expect(snippets.python).toContain('"ok": True');
  expect(snippets.python).toContain('"none": None');
  expect(snippets.go).toContain('"https://trunkline.example.com/v3/chats/" + chatId + "/messages"');
});
