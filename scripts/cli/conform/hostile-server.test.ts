import { mkdtempSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { connectionOf, missingToken } from "@/scripts/cli/cli-context";
import type { Check } from "@/scripts/cli/conform/check";
import { type ConformOptions, runConform } from "@/scripts/cli/conform/run-conform";
import { saveProfile } from "@/scripts/cli/settings";

const TOKEN = "tl_sandbox_secret_token";
const LINE = "+12025550100";
const NAMED = "+15550100101";
const OTHER = "+15550100202";
const CHAT = "01234567-89ab-7def-8123-456789abcdef";
const MESSAGE = "11234567-89ab-7def-8123-456789abcdef";
const RUN_MS = 120_000;

const closing: (() => unknown)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

interface Asked {
  method: string;
  path: string;
  body: string;
  authorization: string | undefined;
}
type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** A server that answers with what a test says, and otherwise like one that has nothing but a line. */
async function serve(answer: (asked: Asked) => Answer | undefined) {
  const asked: Asked[] = [];
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    const one = { method, path: url, body, authorization: headers.authorization };
    asked.push(one);
    const [status, value, more] = answer(one) ?? fallback(one);
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(typeof value === "string" ? value : JSON.stringify(value));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function fallback({ method, path }: Asked): Answer {
  if (method === "GET" && path === "/v3/phone_numbers") {
    return [200, { phone_numbers: [{ id: MESSAGE, phone_number: LINE }] }];
  }
  return [404, { success: false, error: { code: 1003, status: 404, message: "No such endpoint" } }];
}

/** The chat with the named person, and otherwise what a test says. */
const chatThen = (answer: (asked: Asked) => Answer | undefined, handle = NAMED) => {
  const chat = {
    id: CHAT,
    handles: [
      { handle, is_me: false },
      { handle: LINE, is_me: true },
    ],
  };
  return (asked: Asked): Answer | undefined => {
    const { method, path } = asked;
    const isOpening = method === "POST" && path === "/v3/chats";
    if (isOpening) return [201, { chat: { ...chat, message: { id: MESSAGE } } }];
    if (method === "GET" && path === `/v3/chats/${CHAT}`) return [200, chat];
    return path === "/v3/phone_numbers" ? undefined : answer(asked);
  };
};

const conform = (options: Partial<ConformOptions> & { baseUrl: string }): Promise<Check[]> =>
  runConform({ token: TOKEN, phones: false, timeoutSeconds: 20, waitSeconds: 0.2, ...options });
const writesOf = (asked: readonly Asked[]) => asked.filter(({ method }) => method !== "GET");

test("a saved token is only for the URL with which it was saved, and what is below it", () => {
  vi.stubEnv("TRUNKLINE_CONFIG_DIR", mkdtempSync(path.join(tmpdir(), "trunkline-config-")));
  for (const name of ["TRUNKLINE_URL", "TRUNKLINE_TOKEN", "BASE_URL"]) vi.stubEnv(name, "");
  saveProfile("default", { url: "https://a.example/api", token: TOKEN });
  const tokenFor = (url: string) => connectionOf({ url, profile: "default", json: false }).token;
  const urls = ["https://a.example/api", "https://a.example/api/partner"];
  expect(urls.map(tokenFor)).toEqual([TOKEN, TOKEN]);
  const others = [
    "https://a.example",
    "https://a.example/apis",
    "http://a.example/api",
    "https://b.example/api",
  ];
  expect(others.map(tokenFor)).toEqual([undefined, undefined, undefined, undefined]);
  vi.stubEnv("TRUNKLINE_URL", "https://c.example");
  vi.stubEnv("TRUNKLINE_TOKEN", "tl_of_c");
  expect(["https://c.example", "https://b.example", ...urls.slice(0, 1)].map(tokenFor)).toEqual([
    "tl_of_c",
    undefined,
    TOKEN,
  ]);
  vi.stubEnv("TRUNKLINE_URL", "");
  expect(tokenFor("https://b.example")).toBe("tl_of_c");
});

test("the names of this machine are one host, and an error names the URL that a known token belongs to", () => {
  vi.stubEnv("TRUNKLINE_CONFIG_DIR", mkdtempSync(path.join(tmpdir(), "trunkline-config-")));
  for (const name of ["TRUNKLINE_URL", "TRUNKLINE_TOKEN", "BASE_URL"]) vi.stubEnv(name, "");
  saveProfile("default", { url: "http://localhost:3000", token: TOKEN });
  const connectionFor = (url: string) => connectionOf({ url, profile: "default", json: false });
  const own = ["http://localhost:3000", "http://127.0.0.1:3000/", "http://[::1]:3000/api"];
  expect(own.map((url) => connectionFor(url).token)).toEqual([TOKEN, TOKEN, TOKEN]);
  const others = ["http://127.0.0.1:3001", "https://127.0.0.1:3000", "http://127.0.0.2:3000"];
  expect(others.map((url) => connectionFor(url).token)).toEqual([undefined, undefined, undefined]);
  expect(missingToken(connectionFor("http://127.0.0.1:3001"))).toBe(
    "No API token for http://127.0.0.1:3001. The known token is sent only to its own URL, http://localhost:3000. Pass --token.",
  );
});

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

test(
  "nothing is written into a chat with others, nor to a subscription that existed before",
  async () => {
    const others = await serve(chatThen(() => [200, {}], OTHER));
    const checks = await conform({ baseUrl: others.url, to: NAMED });
    expect(writesOf(others.asked).filter(({ path }) => path.includes(CHAT))).toEqual([]);
    expect(checks.some(({ seen }) => seen.includes("people who were not named"))).toBe(true);

    const existing = { id: CHAT, target_url: "https://a.example", signing_secret: "whsec_1234567890" };
    const { url, asked } = await serve(({ method, path }) => {
      if (path.split("?")[0] !== "/v3/webhook-subscriptions") return undefined;
      return method === "GET" ? [200, { subscriptions: [existing] }] : [201, existing];
    });
    const left: string[] = [];
    await conform({ baseUrl: url, only: ["operations", "webhooks"], listen: "127.0.0.1:0", left });
    expect(
      asked.filter(({ method, path }) => method === "POST" && path.endsWith("-subscriptions")),
    ).not.toEqual([]);
    expect(writesOf(asked).filter(({ path }) => path.includes(CHAT))).toEqual([]);
    expect(left).toEqual([`POST /v3/webhook-subscriptions: ${CHAT} existed before the run`]);
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
});

test("without a simulated account, the run ends, and goes on only if there is no simulator", async () => {
  for (const status of [401, 403, 429, 500]) {
    const { url, asked } = await serve(({ path }) =>
      path === "/simulator/accounts" ? [status, { error: { code: 2011, message: "No" } }] : undefined,
    );
    const only = ["phones"] as const;
    await expect(conform({ baseUrl: url, phones: true, only })).rejects.toThrow(/POST \/simulator\/accounts answered/);
    expect(writesOf(asked).map(({ path }) => path)).toEqual(["/simulator/accounts"]);
  }
  const { url } = await serve(() => undefined);
  const checks = await conform({ baseUrl: url, phones: true, only: ["phones"] });
  expect(checks.map(({ outcome }) => outcome)).toEqual(["skipped", "skipped"]);
});

test("nothing is removed that a response names and the run did not create", async () => {
  const card = { phone_number: OTHER, first_name: "Other", is_active: true };
  const paid = { id: MESSAGE, object: "payment_request" };
  const { url, asked } = await serve(({ method, path }) => {
    const [name = ""] = path.split("?");
    if (method === "GET" && name === "/v3/payment_requests") return [200, { data: [paid] }];
    if (method === "GET" && name === "/v3/chats") {
      return [200, { chats: [{ id: CHAT, handles: [{ handle: NAMED }, { handle: LINE }] }] }];
    }
    if (method === "GET" && name === `/v3/chats/${CHAT}/messages`) return [200, { messages: [{ id: MESSAGE }] }];
    if (method === "GET") return undefined;
    // A server that checks no token, and returns what it has in place of something new.
    if (name === "/v3/blocked_handles") return [200, { blocked_handle: { handle: OTHER } }];
    if (name === "/v3/contact_card") return [200, card];
    if (name === "/v3/payment_requests") return [201, paid];
    return name === "/v3/chats" ? [201, { chat: { id: CHAT, message: { id: MESSAGE }, handles: [{ handle: NAMED }] } }] : undefined;
  });
  const left: string[] = [];
  await conform({ baseUrl: url, to: NAMED, only: ["tokens", "operations"], left });
  const removals = writesOf(asked).filter(({ authorization }) => authorization === `Bearer ${TOKEN}`);
  expect(removals.filter(({ path }) => /payment_requests\/.*cancel$/.test(path))).toEqual([]);
  expect(removals.filter(({ method, path }) => method === "DELETE" && path.includes(MESSAGE))).toEqual([]);
  expect(removals.filter(({ path, body }) => `${decodeURIComponent(path)}${body}`.includes(OTHER))).toEqual([]);
  expect(left).toEqual(
    expect.arrayContaining([
      `POST /v3/chats: ${MESSAGE} existed before the run`,
      "POST /v3/contact_card: the response has no usable ID",
      `POST /v3/payment_requests: ${MESSAGE} existed before the run`,
    ]),
  );
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

test("what could not be removed is named, also when its creation had no response", async () => {
  const { url } = await serve(({ method, path }) => {
    if (method === "POST" && path === "/v3/attachments") return [200, { attachment_id: MESSAGE }];
    if (method === "POST" && path === "/v3/webhook-subscriptions") return [201, {}];
    return method === "DELETE" && path.startsWith("/v3/attachments/") ? [500, ""] : undefined;
  });
  const left: string[] = [];
  await conform({ baseUrl: url, only: ["operations"], left });
  expect(left).toEqual([
    "POST /v3/webhook-subscriptions: the response has no usable ID",
    `DELETE /v3/attachments/${MESSAGE}: 500`,
  ]);
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
