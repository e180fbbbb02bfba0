import "@/lib/testing/use-test-database";

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import LinqAPIV3 from "@linqapp/sdk";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";
import { createTestGroup } from "@/lib/testing/test-chats";
import { untilTextsOnPhone } from "@/lib/testing/texts-on-phone";
import { installApart } from "@/scripts/install-apart.mjs";

// The parts of eve's bundled chat library that an agent uses.
interface Bot {
  onDirectMessage(handle: (thread: Thread, message: { text: string }) => Promise<void>): void;
  onSubscribedMessage(handle: (thread: Thread, message: { text: string }) => Promise<void>): void;
  webhooks: {
    linq(request: Request, options: { waitUntil(work: Promise<unknown>): void }): Promise<Response>;
  };
  shutdown(): Promise<void>;
}
interface Thread {
  subscribe(): Promise<void>;
  post(text: string): Promise<unknown>;
}

/** Null without the registry. */
const eve = await installApart("eve");

let account: TestAccount;
let worker: Worker;
let api: Awaited<ReturnType<typeof serveApi>>;
const open: { close(): unknown }[] = [];

beforeAll(async () => {
  worker = await startWorker();
  api = await serveApi();
});

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

afterAll(async () => {
  await api.close();
  await worker.stop();
});

const newClient = () => new LinqAPIV3({ apiKey: account.token, baseURL: api.baseUrl, maxRetries: 0 });

/** Starts a program's server. `answer` is called with each webhook. */
async function startProgram(
  answer: (body: string, request: IncomingMessage) => Promise<number>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    response.writeHead(await answer(await text(request), request)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}

async function subscribe(target_url: string): Promise<string> {
  const { signing_secret } = await newClient().webhookSubscriptions.create({
    target_url,
    subscribed_events: ["message.received", "message.sent", "message.delivered", "message.read"],
  });
  return signing_secret;
}

const call = (what: `${string} ${string}`) => callApi(what, { token: account.token });
const untilReceived = (phone: string, count: number) =>
  untilTextsOnPhone(count, { phone, line: account.line, call });

async function loadEve(signingSecret: () => string): Promise<Bot> {
  // eve does not export the libraries that it contains.
  const load = (name: string) =>
    import(pathToFileURL(path.join(eve ?? "", "dist/src/compiled", name, "index.js")).href);
  const [{ createLinqAdapter }, { Chat }, { createMemoryState }] = await Promise.all([
    load("@linqapp/chat-sdk-adapter"),
    load("chat"),
    load("@chat-adapter/state-memory"),
  ]);
  const linq = createLinqAdapter({
    apiKey: account.token,
    baseURL: api.baseUrl,
    signingSecret: signingSecret(),
  });
  return new Chat({ userName: "agent", adapters: { linq }, state: createMemoryState() });
}

test.skipIf(eve === null)(
  "the adapter inside npm eve converses with a phone, with our address as its baseURL",
  async () => {
    account = await createTestAccount({ type: "sandbox" });
    const phone = await createTestPhone(account);
    let bot: Bot | null = null;
    const work: Promise<unknown>[] = [];
    const url = await startProgram(async (body, { headers }) => {
      const request = new Request("https://agent.example/eve/v1/linq", {
        method: "POST",
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
        body,
      });
      const answer = await bot?.webhooks.linq(request, { waitUntil: (each) => work.push(each) });
      return answer?.status ?? 503;
    });
    const secret = await subscribe(url);
    bot = await loadEve(() => secret);
    open.push({ close: () => bot?.shutdown() });
    bot.onDirectMessage(async (thread, message) => {
      await thread.subscribe();
      await thread.post(`You said: ${message.text}`);
    });
    bot.onSubscribedMessage(async (thread, message) => {
      await thread.post(`And then: ${message.text}`);
    });

    const { chatId } = await writeAs(account, phone, { to: account.line, text: "hello agent" });
    expect(await untilReceived(phone, 1)).toEqual(["You said: hello agent"]);
    await writeAs(account, phone, { to: chatId, text: "are you there?" });
    const texts = await untilReceived(phone, 2);
    expect(texts).toHaveLength(2);
    expect(texts[1]).toMatch(/: are you there\?$/);
    expect((await Promise.allSettled(work)).filter(({ status }) => status === "rejected")).toEqual([]);
    const forged = new Request("https://agent.example/eve/v1/linq", { method: "POST", body: "{}" });
    expect((await bot.webhooks.linq(forged, { waitUntil: () => {} })).status).toBe(401);
  },
);

test("an agent of payload version 2025-01-01 answers each person, its card in the same breath", async () => {
  account = await createTestAccount({ type: "sandbox" });
  await updateAccountOptions(account.context(), { body: { default_webhook_version: "2025-01-01" } });
  const client = newClient();
  await client.contactCard.create({ phone_number: account.line, first_name: "Agent" });
  const failures: unknown[] = [];
  const url = await startProgram(async (body) => {
    const { event_type, webhook_version, data } = JSON.parse(body);
    if (event_type !== "message.received" || data.is_from_me) return 200;
    const reply = `${data.from} in ${webhook_version}: ${data.message.parts[0].value}`;
    await Promise.all([
      client.chats.messages.send(data.chat_id, { message: { parts: [{ type: "text", value: reply }] } }),
      client.chats.shareContactCard(data.chat_id),
    ]).catch((error) => failures.push(error));
    return 200;
  });
  await subscribe(url);

  const phone = await createTestPhone(account);
  const { chatId } = await writeAs(account, phone, { to: account.line, text: "one" });
  expect(await untilReceived(phone, 1)).toEqual([`${phone} in 2025-01-01: one`]);
  await writeAs(account, phone, { to: chatId, text: "two" });
  const texts = [`${phone} in 2025-01-01: one`, `${phone} in 2025-01-01: two`];
  expect(await untilReceived(phone, 2)).toEqual(texts);
  expect(failures).toEqual([]);
});

test("an agent answers in a group that a contact began, and every phone of it hears it", async () => {
  account = await createTestAccount({ type: "sandbox" });
  const client = newClient();
  const chats: unknown[] = [];
  const url = await startProgram(async (body, { headers }) => {
    const event = client.webhooks.unwrap(body, {
      headers: headers as Record<string, string>,
      key: secret,
    }) as { event_type: string; data: { chat: { id: string; is_group: boolean } } };
    if (event.event_type !== "message.received") return 200;
    chats.push(event.data.chat.is_group);
    const { chat } = event.data;
    await client.chats.messages.send(chat.id, {
      message: { parts: [{ type: "text", value: "hello group" }] },
    });
    return 200;
  });
  const secret = await subscribe(url);

  const { chatId, phones } = await createTestGroup(account, 2);
  for (const phone of phones) expect(await untilReceived(phone, 1)).toEqual(["hello group"]);
  expect(chats).toEqual([true]);
  const chat = await client.chats.retrieve(chatId);
  expect(chat.is_group).toBe(true);
});
