import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { expect, test } from "vitest";

const DIRECTORY = path.resolve("test-results/openapi-client");

const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths, webhooks } from "./schema";

const client = createClient<paths>({ baseUrl: "http://localhost:3000", headers: { Authorization: "Bearer token" } });

export async function send(chatId: string): Promise<string> {
  const { data, error } = await client.POST("/v3/chats/{chatId}/messages", {
    params: { path: { chatId } },
    body: { message: { parts: [{ type: "text", value: "Hi", text_decorations: [{ range: [0, 2], style: "bold" }] }] } },
  });
  if (error !== undefined) throw new Error(error.error.message);
  return data.message.id;
}

export async function handlesOfNewestChat(): Promise<string[]> {
  const { data } = await client.GET("/v3/chats", { params: { query: { limit: "1" } } });
  return data?.chats[0]?.handles.map(({ handle }) => handle) ?? [];
}

export async function requestPayment(): Promise<string | undefined> {
  const { data } = await client.POST("/v3/payment_requests", {
    params: { header: { "idempotency-key": "order-1042" } },
    body: { amount: 4200, currency: "usd" },
  });
  return data?.checkout_url;
}

export async function unblock(handle: string): Promise<void> {
  await client.DELETE("/v3/blocked_handles", { body: { handle } });
}

type Received = webhooks["message.received"]["post"]["requestBody"]["content"]["application/json"];

export function textOf(event: Received): string | undefined {
  if (event.webhook_version !== "2026-02-03") return event.data.message.id;
  const [part] = event.data.parts;
  return part?.type === "text" ? part.value : undefined;
}

// @ts-expect-error a message needs its chat
export const withoutChat = client.POST("/v3/chats/{chatId}/messages", { body: { message: {} } });
// @ts-expect-error there is no such operation
export const unknown = client.GET("/v3/nothing", {});
`;

test("a client generated from openapi.json compiles, and refuses what the API would", {
  timeout: 120_000,
}, async () => {
  mkdirSync(DIRECTORY, { recursive: true });
  const document = JSON.parse(readFileSync("openapi.json", "utf8"));
  writeFileSync(path.join(DIRECTORY, "schema.ts"), astToString(await openapiTS(document)));
  const program = path.join(DIRECTORY, "program.ts");
  writeFileSync(program, PROGRAM);
  expect(diagnose(program)).toEqual([]);
});

function diagnose(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    // The generated types are a .ts file, so they are still checked.
    skipLibCheck: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file: source, messageText, start = 0 }) => {
    const line = source === undefined ? "" : source.getLineAndCharacterOfPosition(start).line + 1;
    return `${source?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}
