import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readApiDocument } from "@/scripts/cli/conform/api-document";
import { documentedEvents } from "@/scripts/cli/conform/examine-webhook";
import {
  type Answer,
  CHAT,
  chatThen,
  conform,
  LINE,
  MESSAGE,
  NAMED,
  OTHER,
  RUN_MS,
  serve,
  TOKEN,
  writesOf,
} from "@/scripts/cli/conform/fake-server";

test("no request follows a redirect to another server", async () => {
  const target = await serve(() => undefined);
  let requests = 0;
  const { url } = await serve(({ path }) =>
    ++requests > 2 ? [307, "", { location: `${target.url}${path}` }] : undefined,
  );
  const checks = await conform({ baseUrl: url, only: ["tokens", "operations"] });
  expect(checks.some(({ seen }) => seen.startsWith("307 in place of"))).toBe(true);
  expect(target.asked).toEqual([]);
});

const DEEP = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
const ANSWERS: readonly Answer[] = [
  [200, ""],
  [200, "null"],
  [202, '{"message":null,"chats":[null],"messages":[7],"error":null,"poll":null}'],
  [500, '{"error":{"code":"x","message":7},"trace_id":null}'],
  [201, DEEP],
];
test.each([1, 3])(
  "a server whose bodies are none, null, texts or lists in lists gets a report of differences (%i)",
  async (step) => {
    let requests = 0;
    const answers = () => ANSWERS[(requests++ * step) % ANSWERS.length];
    const { url } = await serve(chatThen(answers));
    const checks = await conform({ baseUrl: url, to: NAMED });
    expect(checks.length).toBeGreaterThan(300);
    const different = checks.filter(({ outcome }) => outcome === "different");
    expect(different.length).toBeGreaterThan(200);
    expect(different.filter(({ seen }) => /Cannot read|is not a function|undefined \(/.test(seen))).toEqual(
      [],
    );
  },
  RUN_MS,
);

test("an account of its own has fictional phones, another token and other lines, or the run ends", async () => {
  const account = { token: "tl_sandbox_of_its_own", phones: { from: "+12035550100" } };
  for (const [created, reason] of [
    [{ ...account, phones: { from: OTHER } }, /no account with a token and fictional numbers/],
    [{ ...account, token: TOKEN }, /the account of the token/],
    [account, /the account of the token/],
    [null, /no account with a token/],
  ] as const) {
    const { url, asked } = await serve(({ path }) =>
      path === "/simulator/accounts" ? [201, created] : undefined,
    );
    await expect(conform({ baseUrl: url, phones: true })).rejects.toThrow(reason);
    expect(writesOf(asked).map(({ path }) => path)).toEqual(["/simulator/accounts"]);
  }
  const isOwn = ({ authorization }: { authorization: string | undefined }) =>
    authorization === `Bearer ${account.token}`;
  const { url, asked } = await serve((one) =>
    one.path === "/simulator/accounts" ? [201, account] : isOwn(one) ? [500, ""] : undefined,
  );
  await conform({ baseUrl: url, phones: true, only: ["operations"] });
  const writes = writesOf(asked.filter(isOwn));
  expect(writes.length).toBeGreaterThan(5);
  expect(writes.filter(({ path, body }) => `${path}${body}`.includes(LINE.slice(1)))).toEqual([]);
});

test("without a simulated account, the run ends, and goes on only if there is no simulator", async () => {
  for (const status of [401, 403, 429, 500]) {
    const { url, asked } = await serve(({ path }) =>
      path === "/simulator/accounts" ? [status, { error: { code: 2011, message: "No" } }] : undefined,
    );
    const only = ["phones"] as const;
    await expect(conform({ baseUrl: url, phones: true, only })).rejects.toThrow(
      /POST \/simulator\/accounts answered/,
    );
    expect(writesOf(asked).map(({ path }) => path)).toEqual(["/simulator/accounts"]);
  }
  const { url } = await serve(() => undefined);
  const checks = await conform({ baseUrl: url, phones: true, only: ["phones"] });
  expect(checks.map(({ outcome }) => outcome)).toEqual(["skipped", "skipped"]);
});

test("a document without most operations skips their checks", async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "conform-")), "api.json");
  const operation = { responses: { 200: { $ref: "#/components/responses/Any" } } };
  const paths = { "/v3/phone_numbers": { get: operation }, "/v3/chats": { get: operation } };
  writeFileSync(file, JSON.stringify({ paths, components: { responses: { Any: {} } } }));
  const { url } = await serve(() => undefined);
  const options = { to: NAMED, listen: "127.0.0.1:0", spec: file };
  const checks = await conform({ baseUrl: url, ...options });
  expect(checks.filter(({ id }) => id.endsWith("to the end"))).toEqual([]);
  expect(checks.some(({ seen }) => seen.startsWith("the document has no operation"))).toBe(true);
  writeFileSync(file, JSON.stringify({ paths: { "/v3/chats": { get: operation } } }));
  await expect(conform({ baseUrl: url, ...options })).rejects.toThrow("no operation GET /v3/phone_numbers");
});

test("a target that is not https is no difference where the account takes none, and no text moves the cursor", async () => {
  const message = "\u001b[2J\u202egone";
  const error = { code: 1005, status: 400, message, doc_url: "https://a.example" };
  const trace_id = "0".repeat(32);
  const { url } = await serve(({ method, path }) =>
    method === "POST" && path === "/v3/webhook-subscriptions"
      ? [400, { success: false, error, trace_id }, { "x-trace-id": trace_id }]
      : undefined,
  );
  const checks = await conform({ baseUrl: url, only: ["webhooks", "operations"], listen: "127.0.0.1:0" });
  const reason = "the account takes no http target: use --public-url with https";
  expect(checks.filter(({ seen }) => seen === reason)).toHaveLength(2);
  expect(checks.some(({ seen }) => seen.includes("\ufffd[2J\ufffdgone"))).toBe(true);
  expect(JSON.stringify(checks)).not.toMatch(/\\u001b|\u202e/);
});

test("a list that others change is not a difference, and one that is wrong or fails is", async () => {
  const ids = ["a", "b", "c", "d"].map((id) => ({ id }));
  let reads = 0;
  const serveList = (page: (query: URLSearchParams) => Answer) =>
    serve(({ path }) =>
      path.startsWith("/v3/chats?") ? page(new URL(path, "http://localhost").searchParams) : undefined,
    );
  const rotated = (query: URLSearchParams): Answer => {
    reads++;
    const chats = ids.map((_, index) => ids[(index + reads) % ids.length]);
    const from = Number(query.get("cursor") ?? 0);
    const to = from + Number(query.get("limit"));
    return [200, { chats: chats.slice(from, to), next_cursor: to < ids.length ? String(to) : null }];
  };
  const outcomeOf = async (page: (query: URLSearchParams) => Answer) => {
    const { url } = await serveList(page);
    const checks = await conform({ baseUrl: url, only: ["lists"] });
    return checks.find(({ id }) => id === "lists/GET /v3/chats pages");
  };
  expect(await outcomeOf(rotated)).toMatchObject({
    outcome: "skipped",
    seen: expect.stringContaining("changed each time"),
  });
  expect((await outcomeOf(() => [200, { chats: ids, next_cursor: null }]))?.seen).toContain(
    "limit=2 returns 4",
  );
  expect((await outcomeOf(() => [500, ""]))?.outcome).toBe("different");
  const { url, asked } = await serve(() => undefined);
  await conform({ baseUrl: url, only: ["lists"] });
  expect(asked.filter(({ path }) => path === "/v3/scheduled_messages?limit=50")).toHaveLength(1);
});

test("a skipped check says what the run does not know", async () => {
  const reasonsOf = async (answer: Parameters<typeof serve>[0]) => {
    const { url } = await serve(answer);
    const checks = await conform({ baseUrl: url, to: NAMED, only: ["operations"] });
    return (name: string) => checks.find(({ id }) => id === `operations/${name}`)?.seen;
  };
  const [poll, chat] = ["GET /v3/messages/{messageId}/poll", "GET /v3/chats/{chatId}"];
  const withChat = await reasonsOf(chatThen(() => undefined));
  expect(withChat(poll)).toBe("no earlier step returned pollId");
  const withoutLine = await reasonsOf(({ path }) =>
    path === "/v3/phone_numbers" ? [200, { phone_numbers: [] }] : undefined,
  );
  expect(withoutLine(chat)).toBe("the account has no line with a phone number");
  expect(withoutLine("POST /v3/consumers/{name}/ack")).toBe("no earlier step returned position");
});

test("an event of another document is skipped with a reason, or compared with the schema that it refers to", async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "conform-")), "api.json");
  const event = (schema: object) => ({
    post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
  });
  const version = { type: "object", properties: { webhook_version: { const: "2026-02-03" } } };
  const schemas = { Version: version, Composed: { allOf: [{ $ref: "#/components/schemas/Version" }] } };
  const webhooks = {
    "message.edited": event({ $ref: "#/components/schemas/Composed" }),
    "chat.created": event({ anyOf: [{ $ref: "#/components/schemas/Version" }, { type: "null" }] }),
    "message.failed": event({ type: "object" }),
    "poll.sent": {},
  };
  const paths = {
    "/v3/phone_numbers": { get: { responses: { 200: {} } } },
    "/v3/webhook-subscriptions": { post: { responses: { 201: {} } } },
  };
  writeFileSync(file, JSON.stringify({ paths, webhooks, components: { schemas } }));
  expect(documentedEvents(readApiDocument(file)).map(({ versions }) => versions)).toEqual([
    ["2026-02-03"],
    ["2026-02-03"],
    [],
    [],
  ]);
  const { url } = await serve(() => undefined);
  const checks = await conform({ baseUrl: url, only: ["webhooks"], spec: file });
  const reasons = checks
    .filter(({ id }) => id.startsWith("webhooks/the event "))
    .map(({ id, seen }) => [id.split(" ").at(-1), seen.split(" ").slice(0, 3).join(" ")]);
  expect(reasons).toEqual([
    ["message.failed", "the document describes"],
    ["poll.sent", "the document describes"],
    ["message.edited", "conform does not"],
    ["chat.created", "conform does not"],
  ]);
});

test("a run that is stopped while it waits for a webhook ends at once", async () => {
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let ids = 0;
  const { url } = await serve(
    chatThen(({ method, path }) => {
      if (method === "POST" && path === "/v3/webhook-subscriptions") {
        return [201, { id: `${MESSAGE.slice(0, -1)}${ids++}`, signing_secret: "whsec_1234567890" }];
      }
      if (method !== "POST" || !path.endsWith("/messages")) return undefined;
      setTimeout(stop, 100);
      return [202, { chat_id: CHAT, message: { id: MESSAGE } }];
    }),
  );
  const options = { only: ["webhooks"], listen: "127.0.0.1:0", waitSeconds: 600 } as const;
  await expect(conform({ baseUrl: url, to: NAMED, stopped, ...options })).rejects.toThrow("was stopped");
});
