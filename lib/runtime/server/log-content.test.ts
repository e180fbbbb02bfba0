import "@/lib/testing/use-test-database";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { findFreePort } from "@/lib/platform/postgres/find-free-port";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type MailServer, startMailServer } from "@/lib/testing/servers/start-mail-server";
import { startReceiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const outfile = path.join(root, ".generated", `test-logs-${process.pid}.mjs`);

const SOURCE = `
  import { privateRoutes } from "@/.generated/private-route-table";
  import { routes } from "@/.generated/route-table";
  import { serveInstance } from "@/lib/runtime/server/serve-instance";
  const pages = { prepare: async () => {}, getRequestHandler: () => (request, response) => response.end(), close: async () => {} };
  await serveInstance({ routes: [...routes, ...privateRoutes], createNext: () => pages });
`;

/** The word is in every text, name, URL and address below, and the digits are in the handle. */
const WORD = "canary";
const DIGITS = "6664711471";
const PHONE = `+1${DIGITS}`;
const TEXT = `The ${WORD} sings`;

let folder: string;
let mailServer: MailServer;
let account: TestAccount;
let web: Instance;
let worker: Instance;
const children: ChildProcess[] = [];

interface Instance {
  baseUrl: string;
  output(): string;
  stop(): Promise<void>;
}

beforeAll(async () => {
  await build({
    stdin: { contents: SOURCE, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    packages: "external",
    alias: { "server-only": path.join(root, "lib/testing/server-only.ts") },
    logLevel: "warning",
  });
  folder = mkdtempSync(path.join(tmpdir(), "trunkline-logs-"));
  cpSync(path.join(root, "prisma"), path.join(folder, "prisma"), { recursive: true });
  mkdirSync(path.join(folder, ".next"));
  writeFileSync(path.join(folder, ".next", "prerender-manifest.json"), JSON.stringify({ routes: {} }));
  mailServer = await startMailServer({ onRecipient: () => 550 });
  account = await createTestAccount({ type: "sandbox" });
  [web, worker] = await Promise.all([startInstance("web"), startInstance("worker")]);
});

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await mailServer.close();
  rmSync(outfile, { force: true });
  rmSync(folder, { recursive: true, force: true });
});

async function startInstance(role: "web" | "worker"): Promise<Instance> {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [outfile], {
    cwd: folder,
    env: {
      ...process.env,
      ROLE: role,
      HOST: "127.0.0.1",
      PORT: String(port),
      BASE_URL: baseUrl,
      LOG_LEVEL: "debug",
      WEBHOOK_SANDBOX_LOOPBACK: "1",
      MEDIA_ALLOW_PRIVATE: "127.0.0.1",
      SMTP_URL: mailServer.url,
      MAIL_FROM: "no-reply@example.com",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await until(() => {
    if (child.exitCode !== null) throw new Error(`it did not start: ${output}`);
    return /is ready|the worker runs/.test(output);
  });
  return {
    baseUrl,
    output: () => output,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function call(request: string, body?: unknown, token = account.token) {
  const [method = "", path = ""] = request.split(" ");
  const response = await fetch(`${web.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

const textMessage = (value: string) => ({ message: { parts: [{ type: "text", value }] } });

async function statusOf(messageId: string): Promise<string | undefined> {
  const [row] = await sql.runText<{ status: string }>({
    text: "select delivery_status::text as status from messages where id = $1",
    values: [messageId],
  });
  return row?.status;
}

async function attemptsOf(subscriptionId: string): Promise<number> {
  const [row] = await sql.runText<{ attempts: number }>({
    text: "select max(attempts)::int as attempts from webhook_deliveries where subscription_id = $1",
    values: [subscriptionId],
  });
  return row?.attempts ?? 0;
}

test("no log line of a web or worker process has content, a handle, an address or a token, whatever fails", async () => {
  const endpoint = await startReceiver((response) => response.writeHead(500).end(TEXT));
  const subscribe = (target_url: string) =>
    call("POST /v3/webhook-subscriptions", {
      target_url,
      subscribed_events: ["message.sent", "message.received", "message.failed"],
    });
  const failing = await subscribe(`${endpoint.url}?key=${WORD}`);
  const closed = await subscribe(`http://127.0.0.1:1/${WORD}`);
  expect([failing.status, closed.status]).toEqual([201, 201]);

  // A conversation: in, out, a file that can't be downloaded.
  expect((await call("POST /simulator/phones", { handle: PHONE, delay_ms: 0 })).status).toBe(201);
  const write = (text: string) =>
    call(`POST /simulator/phones/${encodeURIComponent(PHONE)}/messages`, { to: account.line, text });
  const inbound = await write(TEXT);
  expect(inbound.status).toBeLessThan(300);
  const chatId: string = await until(async () => {
    const rows = await sql.runText<{ id: string }>({
      text: "select id from chats where account_id = $1",
      values: [account.ref.id],
    });
    return rows[0]?.id;
  });
  const sent = await call(`POST /v3/chats/${chatId}/messages`, textMessage(TEXT));
  expect(sent.status).toBe(202);
  await until(async () =>
    ["sent", "delivered", "read"].includes((await statusOf(sent.body.message.id)) ?? ""),
  );
  await call(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "media", url: `http://127.0.0.1:1/${WORD}.jpg` }] },
  });

  // Requests that are refused.
  await call(`POST /v3/chats/${chatId}/messages`, `{"message": "${WORD}`);
  await call(`POST /v3/chats/${chatId}/messages`, { message: { parts: [{ type: WORD, value: TEXT }] } });
  await call(`POST /v3/chats/${chatId}/messages`, textMessage(TEXT), `tl_sandbox_${WORD}`);
  await call(`GET /v3/chats/${WORD}`);
  await call(`GET /v3/${WORD}/${encodeURIComponent(PHONE)}?text=${WORD}`);
  await call("POST /v3/capability/check_imessage", { address: PHONE });
  await call(`POST /mcp`, { jsonrpc: "2.0", id: 1, method: WORD, params: { text: TEXT } });
  await call("POST /v3/contact_card", { name: TEXT, image_url: `http://127.0.0.1:1/${WORD}` });

  // Payments and their pages.
  const payment = await call("POST /v3/payment_requests", {
    amount: 4200,
    currency: "usd",
    payer_handle: PHONE,
    metadata: { note: TEXT },
  });
  await call("POST /v3/payment_requests", { amount: WORD, currency: WORD, description: TEXT });
  const checkout: unknown = payment.body.checkout_url ?? payment.body.url;
  if (typeof checkout === "string") {
    const page = new URL(checkout);
    await call(`GET ${page.pathname}`);
    await call(`POST ${page.pathname}`, `card=${WORD}&name=${WORD}`);
  }
  await call(`GET /pay/${WORD}`);
  await call(`GET /wallet/${WORD}`);

  // Password resets: of an unknown address, and of a user whose server refuses the email.
  await call("POST /api/password-reset", { email: `${WORD}@example.com` });
  await sql.runText({
    text: "insert into users (id, email, name, is_operator) values (gen_random_uuid(), $1, $2, true)",
    values: [`${WORD}.operator@example.com`, WORD],
  });
  await call("POST /api/password-reset", { email: `${WORD}.operator@example.com` });

  // Failures in the database, whose errors repeat the whole row: of requests, and of the worker.
  await sql.runText({
    text: `alter table messages add constraint refuses_marked check (
             parts::text not like '%explode%'
             and not (parts::text like '%stumble%' and delivery_status in ('sent', 'delivered'))) not valid`,
  });
  const broken = await call(`POST /v3/chats/${chatId}/messages`, textMessage(`${TEXT} explode`));
  expect(broken.status).toBe(500);
  // A message that can't be stored is set aside.
  expect((await write(`${TEXT} explode`)).status).toBe(201);
  const stumbling = await call(`POST /v3/chats/${chatId}/messages`, textMessage(`${TEXT} stumble`));
  expect(stumbling.status).toBe(202);

  await until(
    async () => (await attemptsOf(failing.body.id)) >= 2 && (await attemptsOf(closed.body.id)) >= 2,
  );
  await until(() => web.output().includes('"23514"'));
  await until(() => worker.output().includes('"23514"'));
  await until(() => worker.output().includes("an email was given up"));
  await Promise.all([web.stop(), worker.stop()]);
  await endpoint.close();
  await sql.runText({ text: "alter table messages drop constraint refuses_marked" });

  const lines = `${web.output()}\n${worker.output()}`.split("\n").filter((line) => line.startsWith("{"));
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), msg: expect.any(String) });
  const everything = `${web.output()}\n${worker.output()}`;
  const found = everything
    .split("\n")
    .filter((line) => [WORD, DIGITS, account.token, "SECRET"].some((mark) => line.includes(mark)));
  expect(found).toEqual([]);
});
