import { execFile } from "node:child_process";
import { promisify } from "node:util";
import LinqAPIV3 from "@linqapp/sdk";
import { test as base, expect } from "@playwright/test";
import { startReceiver } from "../lib/testing/servers/start-receiver";
import { textsOnPhone } from "../lib/testing/texts-on-phone";
import { startFakeAndroid } from "../lib/testing/vendors/fake-android";
import { launchProcess } from "../scripts/instance/start-process.mjs";
import { WITHOUT_LIMITS } from "../scripts/instance/without-limits.mjs";
import { type OwnInstance, startOwnInstance } from "./own-instance";
import type { StorageState } from "./signed-in";
import { loadUntilHydrated } from "./until-hydrated";

// One story for each extension: a user's program with the official client, a phone, and the page where the user does
// something. The clock only goes forward: stories that need minutes come last.

const MINUTE_MS = 60_000;

/** The official client has no types for events of extensions. */
interface TurnEvent {
  data: { id: string; chat_id: string; messages: unknown[] };
}

const test = base.extend<
  { baseURL: string; storageState: StorageState },
  { own: { instance: OwnInstance; session: StorageState } }
>({
  own: [
    async ({ browser }, use) => {
      const instance = await startOwnInstance(async () => ({
        ...WITHOUT_LIMITS,
        TRANSPORT_ALLOW_PRIVATE: "127.0.0.1",
      }));
      const page = await browser.newPage({ reducedMotion: "reduce" });
      await instance.signIn(page);
      const session = await page.context().storageState();
      await page.close();
      await use({ instance, session });
      await instance.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
  baseURL: async ({ own }, use) => use(own.instance.demo.base_url),
  storageState: async ({ own }, use) => use(own.session),
  page: async ({ page }, use) => {
    loadUntilHydrated(page);
    await use(page);
  },
});

const text = (value: string) => ({ message: { parts: [{ type: "text" as const, value }] } });

/** Nothing is delivered to the program of a story that is over. */
test.afterEach(async ({ own }) => {
  const { client } = using(own.instance);
  const { subscriptions } = await client.webhookSubscriptions.list();
  for (const { id } of subscriptions) await client.webhookSubscriptions.delete(id);
});

/** What the stories do with an instance: its official client, its phones and its clock. */
function using({ demo, call }: OwnInstance) {
  const client = new LinqAPIV3({ apiKey: demo.token, baseURL: demo.base_url });
  return {
    demo,
    call,
    client,
    setClock: async (change: object) =>
      expect((await call("POST /simulator/clock", change)).status).toBe(200),
    /** A phone that has written to the demo's line. */
    async startChat(handle: string, hello: string): Promise<string> {
      await call("POST /simulator/phones", { handle, delay_ms: 0 });
      return (await say(handle, hello)).chat_id;
    },
    say,
    textsOn: (phone: string) => textsOnPhone({ phone, line: demo.line, call }),
    async subscribe(target_url: string, types: string[], more: object = {}) {
      const body = { target_url, subscribed_events: types as never, ...more };
      return client.webhookSubscriptions.create(body);
    },
  };

  async function say(handle: string, value: string) {
    const path = `POST /simulator/phones/${encodeURIComponent(handle)}/messages` as const;
    const { status, body } = await call(path, { to: demo.line, text: value });
    expect(status).toBe(201);
    return body;
  }
}

test("turns: an endpoint that is made in the form gets a burst as one event, and its program answers once", async ({
  page,
  own,
}) => {
  const { client, setClock, startChat, say, textsOn } = using(own.instance);
  const ada = "+15550107001";
  let key = "";
  const program = await startReceiver((response, count) => {
    void answer(count).then(
      () => response.end(),
      () => response.writeHead(500).end(),
    );
  });
  async function answer(count: number): Promise<void> {
    const { headers, body } = program.received[count - 1] ?? { headers: {}, body: "" };
    const { data } = client.webhooks.unwrap(body, { headers, key }) as unknown as TurnEvent;
    const { message } = text(`I read ${data.messages.length}`);
    await client.chats.messages.send(data.chat_id, { message: { ...message, idempotency_key: data.id } });
  }
  await page.goto("/webhooks");
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Target URL" }).fill(program.url);
  await dialog.getByRole("checkbox", { name: /^chat\.turn/ }).click();
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  const secret = page.getByTestId("signing-secret");
  await expect(secret).toHaveText(/^whsec_/);
  key = (await secret.textContent()) ?? "";

  await setClock({ freeze: true });
  await startChat(ada, "Do you have a table");
  await say(ada, "for four?");
  await say(ada, "Sorry, for five");
  await setClock({ advance: "2s", run_until_idle: true });
  await expect.poll(() => textsOn(ada)).toEqual(["I read 3"]);
  await setClock({ freeze: false });
  expect(program.received).toHaveLength(1);
  await program.close();
});

test("loops: two programs that answer each other are stopped, and a click resumes the chat", async ({
  page,
  own,
}) => {
  const { call, client, startChat, say, textsOn } = using(own.instance);
  const bot = "+15550107002";
  const chatId = await startChat(bot, "Hi");
  await call("PUT /simulator/limits", { loop_exchanges: 15 });
  const ours = "Thank you for your message. We will come back to you within the next two days.";
  const theirs = "I am out of the office until Monday and will answer when I am back at my desk.";
  const answerEachOther = async () => {
    for (let exchanges = 0; exchanges < 40; exchanges++) {
      await client.chats.messages.send(chatId, text(ours));
      await say(bot, theirs);
    }
  };
  const refused = await answerEachOther().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LinqAPIV3.APIError);
  const { status, error, headers } = refused as InstanceType<typeof LinqAPIV3.APIError>;
  expect({ status, error }).toMatchObject({ status: 409, error: { error: { code: 2015 } } });
  expect(headers?.get("x-should-retry")).toBe("false");

  await page.goto(`/chats/${chatId}`);
  const loop = page.getByRole("region", { name: "Loop" });
  await loop.getByRole("button", { name: "Resume API sends" }).click();
  await expect(loop).toHaveCount(0);
  await client.chats.messages.send(chatId, text("A person looked at this chat"));
  await expect.poll(() => textsOn(bot)).toContain("A person looked at this chat");
  await call("PUT /simulator/limits", { loop_exchanges: null });
});

test("unsend: a message that is unsent in its menu is gone from the phone, and the event says so", async ({
  page,
  own,
}) => {
  const { call, client, startChat, subscribe, textsOn } = using(own.instance);
  const bob = "+15550107003";
  const receiver = await startReceiver();
  const { signing_secret: key } = await subscribe(receiver.url, ["message.unsent"]);
  const chatId = await startChat(bob, "What was my code?");
  const { message } = await client.chats.messages.send(chatId, text("It was 123456"));
  await expect.poll(() => textsOn(bob)).toEqual(["It was 123456"]);

  await page.goto(`/chats/${chatId}`);
  const bubble = page.getByRole("article").filter({ hasText: "It was 123456" });
  await expect(bubble).toContainText("Delivered");
  await bubble.getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: /^Unsend/ }).click();

  const { headers, body } = await receiver.next("message.unsent", ({ data }) => data.id === message.id);
  expect(client.webhooks.unwrap(body, { headers, key })).toMatchObject({ event_type: "message.unsent" });
  const { body: phone } = await call(`GET /simulator/phones/${bob}/messages`);
  const onPhone = phone.messages.find(({ from }: { from: string }) => from !== bob);
  expect(onPhone.unsent_at).toEqual(expect.any(String));
  await receiver.close();
});

test("android: an operator connects a phone on the line's page, and a customer gets an answer over it", async ({
  page,
  own,
}) => {
  const { demo, client, setClock, subscribe } = using(own.instance);
  const customer = "+15550167004";
  const phone = await startFakeAndroid();
  const program = await startReceiver();
  const { signing_secret: key } = await subscribe(program.url, ["message.received"], {
    phone_numbers: [demo.rcs_line],
  });
  const { phone_numbers: lines } = await client.phoneNumbers.list();
  const line = lines.find(({ phone_number }) => phone_number === demo.rcs_line);
  await page.goto(`/lines/${line?.id}`);
  await page.getByRole("link", { name: "Transport", exact: true }).click();
  const connection = page.getByRole("region", { name: "Connection 1" });
  await connection.getByRole("combobox", { name: "Transport" }).click();
  await page.getByRole("option", { name: "android", exact: true }).click();
  await connection.getByLabel("Phone URL").fill(phone.url);
  await connection.getByLabel("Password").fill(phone.password);
  await connection.getByRole("button", { name: "Test connection" }).click();
  await expect(connection.getByText("The connection works.")).toBeVisible();
  await connection.getByRole("button", { name: "Save connection" }).click();
  await expect(page.getByText("The line sends over android.")).toBeVisible();
  // What the phone had before its first look is skipped.
  await expect.poll(() => phone.requests.filter((each) => each.includes("/inbox")).length).toBeGreaterThan(0);

  phone.write(customer, "Do you deliver?");
  await setClock({ advance: "5s" });
  const { headers, body } = await program.next("message.received");
  const { data } = client.webhooks.unwrap(body, { headers, key }) as LinqAPIV3.MessageReceivedWebhookEvent;
  expect(data.parts).toMatchObject([{ type: "text", value: "Do you deliver?" }]);
  await client.chats.messages.send(data.chat.id, text("Until ten"));
  await expect
    .poll(() => phone.queue.sent.map((sent) => [sent.to, sent.text]))
    .toEqual([[customer, "Until ten"]]);
  await program.close();
  await phone.close();
});

test("conform: the instance is compared with the contract from a terminal, without a difference", async ({
  own,
}) => {
  const { demo } = using(own.instance);
  const where = [demo.base_url, "--token", demo.token, "--phones", "--only", "lists,sends"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["scripts/trunkline.mjs", "conform", ...where],
    { env: { ...process.env, FORCE_COLOR: "0" } },
  );
  expect(stdout).toMatch(/[1-9]\d* passed, 0 different/);
});

/** Takes two events and is killed before it has processed them. */
const CONSUMER = `
  import LinqAPIV3 from "@linqapp/sdk";
  const client = new LinqAPIV3({ apiKey: process.env.TRUNKLINE_TOKEN, baseURL: process.env.TRUNKLINE_URL });
  const { events } = await client.post("/v3/consumers/orders/poll", { body: { limit: 2, lease_seconds: 60 } });
  console.log(JSON.stringify(events.map(({ id }) => id)));
  setInterval(() => {}, 1000);
`;

test("consumers: a program that is killed with events in its hands skips none of them", async ({ own }) => {
  const { demo, client, setClock, startChat } = using(own.instance);
  const path = "/v3/consumers/orders";
  await client.put(path, { body: { types: ["message.sent"] } });
  const chatId = await startChat("+15550107005", "Hi");
  const sent: string[] = [];
  for (const value of ["one", "two", "three", "four"]) {
    sent.push((await client.chats.messages.send(chatId, text(value))).message.id);
  }
  const lag = async () => (await client.get<{ lag: { events: number } }>(path)).lag.events;
  await expect.poll(lag).toBe(sent.length);

  const program = launchProcess({
    args: ["--input-type=module", "--eval", CONSUMER],
    env: { TRUNKLINE_TOKEN: demo.token, TRUNKLINE_URL: demo.base_url },
  });
  await expect.poll(() => program.output()).toMatch(/\["\d+","\d+"\]/);
  const taken: string[] = JSON.parse(program.output());
  await program.kill();
  const poll = () =>
    client.post<{
      events: { id: string; envelope: { data: { id: string } } }[];
      lease: { token: string } | null;
    }>(`${path}/poll`, { body: { limit: 3 }, maxRetries: 0 });
  await expect(poll()).rejects.toMatchObject({ status: 409 });
  await setClock({ advance: "61s" });

  const processed: { id: string; messageId: string }[] = [];
  for (let batch = await poll(); batch.lease !== null; batch = await poll()) {
    processed.push(...batch.events.map(({ id, envelope }) => ({ id, messageId: envelope.data.id })));
    const upTo = batch.events.at(-1)?.id;
    await client.post(`${path}/ack`, { body: { up_to: upTo, lease: batch.lease.token } });
  }
  expect(processed.map(({ messageId }) => messageId)).toEqual(sent);
  expect(processed.slice(0, 2).map(({ id }) => id)).toEqual(taken);
  expect(await lag()).toBe(0);
});

test("replays: an endpoint that was down and then paused gets what it missed, in order, when it is resumed", async ({
  page,
  own,
}) => {
  const { client, setClock, startChat, subscribe } = using(own.instance);
  let isDown = false;
  const processed: string[] = [];
  const program = await startReceiver((response, count) => {
    const { event } = program.received[count - 1] ?? {};
    const [part] = (event?.data.parts ?? []) as { value: string }[];
    if (!isDown) processed.push(part?.value ?? "");
    response.writeHead(isDown ? 503 : 204).end();
  });
  const { id } = await subscribe(program.url, ["message.sent"], { ordering: "chat", retry_seconds: [1] });
  const chatId = await startChat("+15550107006", "Where is my order?");
  const send = (value: string) => client.chats.messages.send(chatId, text(value));
  await send("Accepted");
  await expect.poll(() => processed).toEqual(["Accepted"]);

  isDown = true;
  for (const value of ["Packed", "Labeled"]) await send(value);
  await setClock({ advance: "1m", run_until_idle: true });
  await client.webhookSubscriptions.update(id, { is_active: false });
  for (const value of ["Collected", "Sorted", "On its way"]) await send(value);
  await setClock({ run_until_idle: true });
  isDown = false;
  await page.goto(`/webhooks/${id}`);
  await page.getByRole("button", { name: "Resume" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("status")).toContainText("5 events were skipped or failed");
  await dialog.getByRole("button", { name: "Resume and replay 5" }).click();

  const all = ["Accepted", "Packed", "Labeled", "Collected", "Sorted", "On its way"];
  await expect.poll(() => processed).toEqual(all);
  await program.close();
});

test("later: a message is scheduled, moved and arrives at its time; in quiet hours that are set in the form, one is held and shown", async ({
  page,
  own,
}) => {
  const { call, client, setClock, startChat, textsOn } = using(own.instance);
  // Its number names no time zone.
  const cleo = "cleo@example.com";
  const chatId = await startChat(cleo, "Remind me");
  const clock = async () => new Date((await call("GET /simulator/clock")).body.now).getTime();
  const startedMs = await clock();
  const at = (minutes: number) => new Date(startedMs + minutes * MINUTE_MS).toISOString();
  const later = { ...text("Your table is ready"), send_at: at(30) };
  const { message } = await client.chats.messages.send(chatId, later);
  await client.patch(`/v3/scheduled_messages/${message.id}`, { body: { send_at: at(65) } });
  await setClock({ advance: "40m", run_until_idle: true });
  expect(await textsOn(cleo)).toEqual([]);
  await setClock({ advance: "30m" });
  await expect.poll(() => textsOn(cleo)).toEqual(["Your table is ready"]);

  const nowMs = await clock();
  const clockTime = (minutes: number) => new Date(nowMs + minutes * MINUTE_MS).toISOString().slice(11, 16);
  await page.goto("/settings");
  await page.getByRole("combobox", { name: "In quiet hours" }).click();
  await page.getByRole("option", { name: "Send messages when they end" }).click();
  const hours = page.getByRole("form", { name: "Quiet hours" });
  await hours.getByLabel("From", { exact: true }).fill(clockTime(-30));
  await hours.getByLabel("To", { exact: true }).fill(clockTime(30));
  await hours.getByLabel("Default time zone").fill("UTC");
  await hours.getByRole("button", { name: "Save quiet hours" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  const held = await client.chats.messages.send(chatId, text("How was it?"));
  expect(held.message).toMatchObject({ send_at: expect.any(String) });

  await page.goto(`/chats/${chatId}`);
  const scheduled = page.getByRole("article", { name: "Scheduled message" });
  await expect(scheduled).toContainText("How was it?");
  expect(await textsOn(cleo)).toEqual(["Your table is ready"]);
  await setClock({ advance: "31m" });
  await expect.poll(() => textsOn(cleo)).toEqual(["Your table is ready", "How was it?"]);
  await expect(scheduled).toHaveCount(0);
});
