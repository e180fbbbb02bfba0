import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { operationsOf, readApiDocument, resolve } from "@/scripts/cli/conform/api-document";

const REFERRING = {
  paths: {
    "/v3/chats/{chatId}": {
      get: {
        parameters: [{ $ref: "#/components/parameters/chatId" }, { name: "old", in: "query" }],
        requestBody: { $ref: "#/components/requestBodies/Nothing" },
        responses: {
          200: { $ref: "#/components/responses/a~1chat" },
          401: { $ref: "#/components/responses/None" },
          default: {},
        },
      },
      post: {},
    },
  },
  components: {
    parameters: { chatId: { name: "chatId", in: "path", schema: { type: "string", format: "uuid" } } },
    responses: {
      "a/chat": { $ref: "#/components/responses/Chat" },
      Chat: {
        description: "`1005`",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Loop" } } },
      },
    },
    schemas: { Loop: { $ref: "#/components/schemas/Loop" } },
  },
};

test("references of a document are followed, and one that leads nowhere is nothing", () => {
  const file = path.join(tmpdir(), `conform-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(REFERRING));
  const document = readApiDocument(file);
  const [get, post] = operationsOf(document);
  expect(get?.parameters.map(({ name }) => name)).toEqual(["chatId"]);
  expect([...(get?.responses ?? [])]).toEqual([
    [200, { schema: { $ref: "#/components/schemas/Loop" }, contentType: "application/json", codes: [1005] }],
    [401, { schema: null, contentType: null, codes: [] }],
  ]);
  expect(resolve(document, { $ref: "#/components/schemas/Loop" })).toEqual({
    $ref: "#/components/schemas/Loop",
  });
  expect([post?.responses.size, post?.success]).toEqual([0, 200]);
});
