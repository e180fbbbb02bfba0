import { expect, test } from "vitest";
import { listGuides } from "@/lib/docs/guides/list-guides";
import { parseRequest, requestSnippets } from "@/lib/docs/reference/request-snippets";
import { readSamples } from "@/lib/testing/samples/doc-samples";
import { requestProblem } from "@/lib/testing/samples/documented-request";

const REQUESTS = readSamples().filter(({ language }) => language === "http");

const problemOf = (text: string) => requestProblem(parseRequest(text));

test("every request in a guide is an operation of the API with a valid body", () => {
  expect(REQUESTS.length).toBeGreaterThan(40);
  const problems = REQUESTS.map(({ file, text }) => ({ file, problem: problemOf(text) }));
  expect(problems.filter(({ problem }) => problem !== null)).toEqual([]);
});

test("the check of requests finds an unknown path, parameter and field", () => {
  expect(problemOf("GET /v3/chat")).toContain("is not an operation");
  expect(problemOf("GET /v3/chats?form=1")).toContain("has no parameter form");
  expect(problemOf('POST /v3/chats\n\n{ "from": "+15550100001" }')).toContain("to");
});

test("every guide explains with text", () => {
  const short = listGuides("/docs/").filter(
    ({ description, markdown }) => description.length < 30 || markdown.length < 600,
  );
  expect(short.map(({ href }) => href)).toEqual([]);
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
