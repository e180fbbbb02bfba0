import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { toPhoneId } from "@/lib/adapters/transports/android/android-units";
import { pollLineNow, setLineConnection } from "@/lib/lines/connections/line-connection";
import { startLinePolls } from "@/lib/lines/connections/poll-lines";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/until";
import { type FakeAndroid, startFakeAndroid } from "@/lib/testing/vendors/fake-android";
import type { PhoneState } from "@/lib/testing/vendors/fake-android-queue";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1";

const isLong = process.env.LONG_TESTS === "1";
const MESSAGES = isLong ? 1000 : 60;
const CHATS = 10;

let account: TestAccount;
let lineId: string;
let phone: FakeAndroid;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  phone = await startFakeAndroid();
  account = await createTestAccount({ type: "production" });
  const [line] = await sql.runText<{ id: string }>({
    text: "update lines set transport = 'android', line_type = 'RCS' where account_id = $1 returning id",
    values: [account.ref.id],
  });
  lineId = line?.id ?? "";
  await setLineConnection({ accountId: account.ref.id, id: lineId }, phone.connection);
  // The phone of the test is faster than any throughput that can be set.
  await sql.runText({ text: "update lines set sends_per_second = null where id = $1", values: [lineId] });
  running.push(startLinePolls(waitingSink), startDispatch());
});
afterAll(async () => {
  for (const part of running.reverse()) await part.stop();
  await phone.close();
});

const handleOf = (chat: number) => `+1555016${1000 + chat}`;

/** Every message of this remainder fails at the carrier. */
const fails = (index: number) => index % 20 === 9;

async function sendTo(chat: number, count: number): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, index) => `${handleOf(chat)} ${index}`);
  const [first = "", ...others] = texts;
  const { chatId } = await account.sendFirst(handleOf(chat), { parts: [{ type: "text", value: first }] });
  for (const value of others) {
    const { status } = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account.token,
      body: { message: { parts: [{ type: "text", value }] } },
    });
    expect(status).toBe(202);
  }
  return texts;
}

function stored(isFromMe: boolean) {
  return sql.runText<{ text: string; status: string; code: number | null }>({
    text: `select parts->0->>'value' as text, delivery_status::text as status, failure_code as code from messages
           where account_id = $1 and is_from_me = $2 order by position`,
    values: [account.ref.id, isFromMe],
  });
}

/** Loses answers and requests, and reports late, doubled and per part. */
function makeTrouble(): void {
  let posts = 0;
  let gets = 0;
  const isSend = (method: string, path: string) => method === "POST" && path === "/messages";
  phone.knobs.loses = (method, path) =>
    (isSend(method, path) && ++posts % 7 === 0) || (path.startsWith("/messages/") && ++gets % 41 === 0);
  let drops = 0;
  phone.knobs.drops = (method, path) => isSend(method, path) && ++drops % 11 === 0;
  let reported = 0;
  const add = phone.queue.add;
  phone.queue.add = (message) => {
    const late: readonly PhoneState[] = ["Sent", "Delivered", "Delivered", "Sent"];
    const error = "Send result: RESULT_ERROR_GENERIC_FAILURE (Generic failure cause)";
    const isFailing = fails(Number(message.text.split(" ")[1]));
    const early: readonly PhoneState[] = reported++ % 3 === 0 ? ["Delivered"] : late;
    return add({
      ...message,
      fate: isFailing ? { reports: ["Sent", "Failed", "Sent"], error } : { reports: early },
    });
  };
}

test("with lost answers, a phone that sends the newest first, late and doubled reports and doubled messages, each message is there once, in the order of its chat, in its state", async () => {
  expect(phone.queue.settings.order).toBe("LIFO");
  makeTrouble();
  const startedAt = performance.now();
  const perChat = MESSAGES / CHATS;
  const sending = Promise.all(Array.from({ length: CHATS }, (_, chat) => sendTo(chat, perChat)));
  const written: string[] = [];
  for (let index = 0; index < MESSAGES; index++) {
    const at = new Date(Date.now() - (MESSAGES - index) * 100);
    const message = `${index} of a person`;
    written.push(message);
    // Emitted twice, and read again by every look at all messages.
    for (let times = 0; times < 2; times++) phone.write(handleOf(index % CHATS), message, { at });
    if (index % 50 === 0) phone.inbox.refresh(0, Date.now());
  }
  const accepted = (await sending).flat();
  const polling = setInterval(() => pollLineNow({ accountId: account.ref.id, id: lineId }), 250);
  try {
    const expected = (value: string) => (fails(Number(value.split(" ")[1])) ? "failed" : "sent");
    const messages = await until(async () => {
      const rows = await stored(true);
      return rows.length === MESSAGES && rows.every(({ text, status }) => status === expected(text)) && rows;
    });
    const inbound = await until(async () => {
      const rows = await stored(false);
      return rows.length >= MESSAGES && rows;
    });
    const seconds = (performance.now() - startedAt) / 1000;

    expect(messages.map(({ text }) => text).sort()).toEqual([...accepted].sort());
    expect(messages.filter(({ status, code }) => status === "failed" && code !== 4001)).toEqual([]);
    const taken = phone.queue.all();
    expect(taken.map(({ text }) => text).sort()).toEqual([...accepted].sort());
    for (const [to, ofChat] of Map.groupBy(taken, (each) => each.to)) {
      expect(ofChat.map(({ text }) => text)).toEqual(accepted.filter((text) => text.startsWith(to)));
    }
    for (const [to, ofChat] of Map.groupBy(phone.queue.sent, (each) => each.to)) {
      const inOrder = accepted.filter((text) => text.startsWith(to) && expected(text) === "sent");
      expect(ofChat.map(({ text }) => text)).toEqual(inOrder);
    }
    expect(inbound.map(({ text }) => text)).toEqual(written);
    if (isLong) {
      const posts = phone.requests.filter((request) => request.startsWith("POST /messages")).length;
      process.stdout.write(
        `${MESSAGES} out with ${posts} requests and ${MESSAGES} in, in ${seconds.toFixed(1)} s\n`,
      );
    }
  } finally {
    clearInterval(polling);
  }
}, 600_000);

test("a message waits while the phone is another one, and goes out when the right one is back", async () => {
  const { deviceId } = phone.knobs;
  phone.knobs.deviceId = "another phone";
  await pollLineNow({ accountId: account.ref.id, id: lineId });
  await until(async () => !(await isUp()));
  const { messageId } = await account.sendFirst("+15550162000", {
    parts: [{ type: "text", value: "0 waits" }],
  });
  const read = async () =>
    (await callApi(`GET /v3/messages/${messageId}`, { token: account.token })).body.delivery_status;
  await until(async () => (await read()) === "queued");
  expect(phone.queue.all().some(({ id }) => id === toPhoneId(messageId, lineId))).toBe(false);
  phone.knobs.deviceId = deviceId;
  await pollLineNow({ accountId: account.ref.id, id: lineId });
  await until(async () => (await read()) === "sent");
  expect(phone.queue.all().filter(({ id }) => id === toPhoneId(messageId, lineId))).toHaveLength(1);
});

async function isUp(): Promise<boolean | undefined> {
  const [line] = await sql.runText<{ is_up: boolean }>({
    text: "select is_up from lines where id = $1",
    values: [lineId],
  });
  return line?.is_up;
}
