import { expect, test } from "vitest";
import { type ExplorerDocument, fillDocument } from "@/components/docs/explorer/fill-document";
import type { ExplorerValues } from "@/lib/docs/reference/get-explorer-values";
import api from "@/openapi.json";
import simulator from "@/openapi-simulator.json";

const DOCUMENTS = [api, simulator] as unknown as ExplorerDocument[];
const ID = "019ca9c2-0000-7000-8000-000000000001";
const VALUES: ExplorerValues = {
  environment: "sandbox",
  line: "+15550100001",
  phone: "+15550100101",
  ids: {
    chatId: ID,
    messageId: ID.replace(/1$/, "2"),
    attachmentId: null,
    subscriptionId: null,
    paymentRequestId: null,
    paymentId: null,
    auditId: null,
  },
};

function operationOf(document: ExplorerDocument, path: string, method: string) {
  const operation = document.paths[path]?.[method];
  if (operation === undefined) throw new Error(`no operation ${method} ${path}`);
  const { parameters = [], requestBody } = operation;
  return {
    path: Object.fromEntries(
      parameters.filter((each) => each.in === "path").map(({ name, example }) => [name, example]),
    ),
    body: requestBody?.content["application/json"]?.example,
  };
}

test("the account's line, phone and latest resources are in the examples", () => {
  const document = fillDocument(DOCUMENTS, VALUES);
  expect(operationOf(document, "/v3/chats", "post").body).toMatchObject({
    from: VALUES.line,
    to: [VALUES.phone],
  });
  expect(operationOf(document, "/v3/chats/{chatId}/messages", "post").path).toEqual({ chatId: ID });
  expect(operationOf(document, "/v3/messages/{messageId}", "get").path).toEqual({
    messageId: VALUES.ids.messageId,
  });
  expect(operationOf(document, "/v3/phone_numbers/{phoneNumber}", "put").path).toEqual({
    phoneNumber: VALUES.line,
  });
  expect(operationOf(document, "/simulator/phones/{handle}/read", "post")).toEqual({
    path: { handle: VALUES.phone },
    body: { chat_id: ID },
  });
});

test("no example keeps a sample line or recipient", () => {
  const { paths } = fillDocument(DOCUMENTS, VALUES);
  const bodies = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ requestBody }) => requestBody?.content["application/json"]?.example),
  );
  expect(JSON.stringify(bodies)).not.toMatch(/"\+1202555(0100|0123)"/);
});

test("without values, and for what the account does not have, the examples stay", () => {
  const original = operationOf(DOCUMENTS[0] as ExplorerDocument, "/v3/chats", "post").body;
  expect(operationOf(fillDocument(DOCUMENTS, null), "/v3/chats", "post").body).toEqual(original);
  const filled = fillDocument(DOCUMENTS, { ...VALUES, line: null });
  expect(operationOf(filled, "/v3/chats", "post").body).toMatchObject({ from: "+12025550100" });
  expect(operationOf(filled, "/v3/attachments/{attachmentId}", "get").path.attachmentId).toBeUndefined();
});

test("an optional parameter has no value, so that a request is sent as it is shown", () => {
  const { paths } = fillDocument(DOCUMENTS, VALUES);
  const [dryRun, key] = paths["/v3/messages"]?.post?.parameters ?? [];
  expect(dryRun).toMatchObject({ name: "dry_run", schema: { type: "string" } });
  expect(dryRun?.schema).not.toHaveProperty("enum");
  expect(dryRun?.description).toContain("One of: true, false.");
  expect(key?.schema).not.toHaveProperty("examples");
});

test("the joined document has the operations of both documents, and every reference resolves", () => {
  const document = fillDocument(DOCUMENTS, VALUES);
  const count = ({ paths }: ExplorerDocument) =>
    Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
  expect(count(document)).toBe(DOCUMENTS.reduce((sum, each) => sum + count(each), 0));
  expect(document.webhooks).toBeUndefined();
  const references = [...JSON.stringify(document.paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(100);
  const missing = references
    .map(([, name = ""]) => name)
    .filter((name) => !(name in document.components.schemas));
  expect(missing).toEqual([]);
});
