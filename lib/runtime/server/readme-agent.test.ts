import "@/lib/testing/use-test-database";

import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock, createTestPhone, freezeClock } from "@/lib/testing/factories";
import { sampleImage } from "@/lib/testing/samples/file-samples";
import { serveApi } from "@/lib/testing/serve-api";
import { startReceiver } from "@/lib/testing/servers/start-receiver";
import { textsOnPhone, untilTextsOnPhone } from "@/lib/testing/texts-on-phone";
import { until } from "@/lib/testing/until";
import { findFreePort } from "@/scripts/instance/find-free-port.mjs";
import { startProcess } from "@/scripts/instance/start-process.mjs";
import { readCodeBlocks } from "@/scripts/lab/rehearse/read-code-blocks.mjs";

const GUIDE = "docs/site/guides/answer-in-turns.md";
/** Twice the quiet of a turn, because the burst has a file. */
const QUIET_SECONDS = 4;

interface Bubble {
  id: string;
  chat: { id: string };
}

let account: TestAccount;
let worker: Worker;
let api: Awaited<ReturnType<typeof serveApi>>;
let agent: Awaited<ReturnType<typeof startAgent>>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
  api = await serveApi();
  agent = await startAgent();
});

beforeEach(() => freezeClock());
afterEach(() => freezeClock(false));

afterAll(async () => {
  await agent.stop();
  await api.close();
  await worker.stop();
});

/** Starts the README's agent in a process of its own. Only the ports differ. */
async function startAgent() {
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const { body: subscription } = await call("POST /v3/webhook-subscriptions", {
    target_url: url,
    subscribed_events: ["chat.turn"],
  });
  const blocks = readCodeBlocks(readFileSync("README.md", "utf8"), "Answer a person");
  const program = blocks
    .find(({ file }) => file === "agent.mjs")
    ?.code.replace("http://localhost:3000", api.baseUrl)
    .replace("4001", new URL(url).port);
  const { stop } = await startProcess({
    args: ["--input-type=module", "--eval", program ?? ""],
    env: { TRUNKLINE_TOKEN: account.token, WEBHOOK_SECRET: subscription.signing_secret },
    readyUrl: url,
  });
  return { url, stop, subscription };
}

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });
const setTurns = (isOn: boolean) =>
  call(`PUT /v3/webhook-subscriptions/${agent.subscription.id}`, { is_active: isOn });

/** Gives the agent messages of a chat as one turn, as programs do that collect messages themselves. Returns its status. */
async function give(
  messages: readonly Bubble[],
  { id = crypto.randomUUID(), secret = agent.subscription.signing_secret } = {},
): Promise<number> {
  const body = JSON.stringify({ data: { id, chat_id: messages[0]?.chat.id, messages } });
  const at = new Date();
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  return (await fetch(agent.url, { method: "POST", headers, body })).status;
}

async function say(phone: string, more: object): Promise<string> {
  const { status, body } = await call(`POST /simulator/phones/${phone}/messages`, {
    to: account.line,
    ...more,
  });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.message_id;
}

/** Five messages with a photo, a mistake and a reply, then the correction of the mistake. */
async function writeBurst(phone: string, onMessage: (id: string) => Promise<void> = async () => {}) {
  const ids: string[] = [];
  const next = async (more: object) => {
    const id = await say(phone, more);
    ids.push(id);
    await onMessage(id);
    return id;
  };
  const question = await next({ text: "Is this scarf yours?" });
  const data = (await sampleImage("png")).toString("base64");
  await next({ parts: [{ type: "media", data, filename: "scarf.png" }] });
  const mistake = await next({ text: "It was under table four" });
  await next({ text: "I mean this one", reply_to: { message_id: question } });
  await next({ text: "I am here until nine" });
  const edit = await call(`POST /simulator/phones/${phone}/edits`, {
    message_id: mistake,
    text: "It was under table nine",
  });
  expect([edit.status, edit.body?.error]).toEqual([201, undefined]);
  return ids;
}

const answersOn = (phone: string) => textsOnPhone({ phone, line: account.line, call });
const untilAnswers = (phone: string, count: number) =>
  untilTextsOnPhone(count, { phone, line: account.line, call });

/** The agent's status for each attempt to deliver the turn of a chat, and the delivery's own. */
async function readAttempts(chatId: string): Promise<(number | string)[][]> {
  const rows = await sql.runText<{ status_code: number; status: string }>({
    text: `select a.status_code, d.status from events e
           join webhook_deliveries d on d.account_id = e.account_id and d.event_seq = e.seq
           join webhook_attempts a on a.account_id = e.account_id and a.event_seq = e.seq and a.delivery_id = d.id
           where e.account_id = $1 and e.chat_id = $2 and e.type = 'chat.turn'`,
    values: [account.ref.id, chatId],
  });
  return rows.map(({ status_code, status }) => [status_code, status]);
}

/** Plays the burst to a program that is called with each `message.received`, and with all of them once the person pauses. */
async function playPerMessage(
  phone: string,
  {
    onMessage = async () => {},
    onPause = async () => {},
  }: { onMessage?(message: Bubble): Promise<void>; onPause?(messages: Bubble[]): Promise<void> },
): Promise<void> {
  const receiver = await startReceiver();
  const { body } = await call("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.received"],
  });
  const messages: Bubble[] = [];
  await writeBurst(phone, async (id) => {
    const { event } = await receiver.next("message.received", ({ data }) => data.id === id);
    const message = event.data as unknown as Bubble;
    messages.push(message);
    await onMessage(message);
  });
  await onPause(messages);
  await call(`DELETE /v3/webhook-subscriptions/${body.id}`);
  await receiver.close();
}

const FACTS = {
  Question: "Is this scarf yours?",
  Photo: "scarf.png",
  "What the reply is about": "I mean this one (about: Is this scarf yours?)",
  Correction: "table nine",
};

/** A row of the guide's table, from what the agent answered. */
function rowOf(getsWhat: string, answers: readonly string[]): string[] {
  const facts = Object.values(FACTS);
  const cells = facts.map((fact) => {
    const answer = answers.find((each) => each.includes(fact));
    if (answer === undefined) return "no";
    return facts.some((other) => other !== fact && answer.includes(other)) ? "yes" : "alone";
  });
  return [getsWhat, String(answers.length), ...cells];
}

function readTable(file: string, id: string): string[][] {
  const [, section = ""] = readFileSync(file, "utf8").split(`{#${id}}`);
  return (section.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

test("a burst has one answer that knows all of it; without turns, the table of the guide is what happens", async () => {
  const [ada, bob, cleo] = [
    await createTestPhone(account),
    await createTestPhone(account),
    await createTestPhone(account),
  ];
  const ids = await writeBurst(ada);
  await until(async () => (await call(`GET /v3/messages/${ids[1]}`)).body.parts[0].status !== "pending");
  expect(await answersOn(ada)).toEqual([]);
  advanceClock(QUIET_SECONDS);
  const [whole = ""] = await untilAnswers(ada, 1);
  expect(whole).toMatch(/^I read 5: .*table nine/);
  expect(whole).not.toContain("table four");

  await setTurns(false);
  await playPerMessage(bob, { onMessage: async (message) => expect(await give([message])).toBe(204) });
  const hasty = await untilAnswers(bob, 5);
  expect(hasty.every((answer) => answer.startsWith("I read 1: "))).toBe(true);
  expect(hasty[2]).toContain("table four");

  await playPerMessage(cleo, {
    onPause: async (messages) => expect(await give(messages.slice(-1))).toBe(204),
  });
  expect(await untilAnswers(cleo, 1)).toEqual(["I read 1: I am here until nine"]);
  await setTurns(true);

  const [head, , ...rows] = readTable(GUIDE, "compare");
  expect(head).toEqual(["The agent gets", "Answers", ...Object.keys(FACTS)]);
  expect(rows).toEqual([
    rowOf("the turn (`chat.turn`)", await answersOn(ada)),
    rowOf("each message (`message.received`)", await answersOn(bob)),
    rowOf("the last message, after a pause", await answersOn(cleo)),
  ]);
});

test("a turn that comes again is answered once, and one with a wrong signature not at all", async () => {
  await setTurns(false);
  const phone = await createTestPhone(account);
  const messages: Bubble[] = [];
  await playPerMessage(phone, { onPause: async (all) => void messages.push(...all) });
  const [first, , third] = messages;
  if (first === undefined || third === undefined) throw new Error("no messages");
  const id = crypto.randomUUID();
  expect([await give([first], { id }), await give([first], { id })]).toEqual([204, 204]);
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  expect(await give([first], { secret })).toBe(401);
  expect(await give([third])).toBe(204);
  expect(await untilAnswers(phone, 2)).toEqual([
    "I read 1: Is this scarf yours?",
    "I read 1: It was under table four",
  ]);
  await setTurns(true);
});

test("a turn whose answer is refused does not come again, and one that the agent failed on does", async () => {
  const phone = await createTestPhone(account);
  const { chat_id: chatId } = (await call(`GET /v3/messages/${await say(phone, { text: "STOP" })}`)).body;
  advanceClock(QUIET_SECONDS);
  await until(async () => (await readAttempts(chatId)).length > 0);
  expect(await readAttempts(chatId)).toEqual([[204, "delivered"]]);
  expect(await answersOn(phone)).toEqual([]);

  const unreadable = { id: crypto.randomUUID(), chat: { id: crypto.randomUUID() } };
  expect(await give([unreadable])).toBe(500);
});
