import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { toPhoneId } from "@/lib/adapters/transports/android/android-units";
import { pollLineNow } from "@/lib/lines/connections/line-connection";
import { startLinePolls } from "@/lib/lines/connections/poll-lines";
import { changeFailover } from "@/lib/lines/transports/change-failover";
import { connectLine } from "@/lib/lines/transports/connect-line";
import { failOverLines } from "@/lib/lines/transports/fail-over-lines";
import { setLineTransport } from "@/lib/lines/transports/set-line-transport";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { now, setClock } from "@/lib/platform/time/clock";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";
import { type FakeAndroid, startFakeAndroid } from "@/lib/testing/vendors/fake-android";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1,localhost";

let account: TestAccount;
let lineId: string;
let first: FakeAndroid;
let second: FakeAndroid;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  first = await startFakeAndroid();
  second = await startFakeAndroid();
  second.knobs.deviceId = "the second phone";
  account = await createTestAccount({ type: "production" });
  const [line] = await sql.runText<{ id: string }>({
    text: "update lines set line_type = 'RCS' where account_id = $1 returning id",
    values: [account.ref.id],
  });
  lineId = line?.id ?? "";
  for (const [position, { connection }] of [first, second].entries()) {
    await setLineTransport(account.context(), {
      params: { lineId },
      query: undefined,
      body: { position, transport: "android", settings: connection },
    });
  }
  const body = { failover_seconds: 60 };
  await changeFailover(account.context(), { params: { lineId }, query: undefined, body });
  running.push(startLinePolls(waitingSink), startDispatch());
  await until(async () => (await readLine())?.is_up);
});
afterAll(async () => {
  setClock(null);
  for (const part of running.reverse()) await part.stop();
  await first.close();
  await second.close();
});

async function readLine() {
  const [line] = await sql.runText<{ is_up: boolean; connection_number: number }>({
    text: "select is_up, connection_number from lines where id = $1",
    values: [lineId],
  });
  return line;
}

const read = async (id: string) => (await callApi(`GET /v3/messages/${id}`, { token: account.token })).body;

test("a message that the first phone may have is never sent by the second one, and one that waited is, once", async () => {
  // The phone takes the message, and is gone before it answers.
  const taken = "+15550170001";
  first.behave(taken, "lost_answer");
  first.knobs.drops = (method, path) => method === "GET" && path.startsWith("/messages/");
  const { messageId } = await account.sendFirst(taken);
  await until(() => first.queue.all().length === 1);
  first.knobs.drops = () => true;
  await pollLineNow({ accountId: account.ref.id, id: lineId });
  await until(async () => (await readLine())?.is_up === false);
  const { messageId: waiting } = await account.sendFirst("+15550170002");
  await until(async () => (await read(waiting)).delivery_status === "queued");

  advanceClock(61);
  expect(await failOverLines(new AbortController().signal)).toBe(1);
  await until(async () => (await readLine())?.is_up === true);
  await until(async () => (await read(waiting)).delivery_status === "sent");
  expect(second.queue.all().map(({ id }) => id)).toEqual([toPhoneId(waiting, lineId)]);
  expect(first.queue.all().map(({ id }) => id)).toEqual([toPhoneId(messageId, lineId)]);
  await until(async () => (await read(messageId)).delivery_status === "failed");
});

test("with a new installation at the same address, a message whose outcome was open fails with 4006 and is not sent again; a new address keeps the cursor", async () => {
  const open = "+15550170003";
  second.behave(open, "lost_answer");
  second.knobs.drops = (method, path) => method === "GET" && path.startsWith("/messages/");
  const { messageId } = await account.sendFirst(open);
  await until(() => second.queue.all().some(({ id }) => id === toPhoneId(messageId, lineId)));
  second.knobs.drops = () => true;
  await pollLineNow({ accountId: account.ref.id, id: lineId });
  await until(async () => (await readLine())?.is_up === false);
  second.queue.forget();
  second.knobs.installedAt = "2026-11-28T11:00:00.000Z";
  second.knobs.drops = () => false;

  const { since } = await saveAndPoll(second.connection);
  expect((await readLine())?.is_up).toBe(true);
  await until(async () => (await read(messageId)).delivery_status === "failed");
  const [failed] = await sql.runText<{ failure_code: number }>({
    text: "select failure_code from messages where id = $1",
    values: [messageId],
  });
  expect(failed?.failure_code).toBe(4006);
  expect(second.queue.all()).toEqual([]);

  const moved = await saveAndPoll({ ...second.connection, base_url: `http://localhost:${second.port}` });
  expect(moved.since).toBe(since);
});

test.each([
  ["a save of the same settings", "a third phone", save],
  [
    "connect-line",
    "a fourth phone",
    (settings: Record<string, string>) => connectLine(account.context(), lineId, settings),
  ],
])(
  "after %s with another phone at the address, its earlier messages are not read",
  async (_, deviceId, connect) => {
    advanceClock(3600);
    await pollLineNow({ accountId: account.ref.id, id: lineId });
    const at = (secondsAgo: number) => new Date(now().getTime() - secondsAgo * 1000);
    second.knobs.deviceId = deviceId;
    second.write("+15550170004", `private on ${deviceId}`, { at: at(1800) });
    second.write("+15550170004", `new on ${deviceId}`, { at: at(5) });
    await connect({ ...second.connection, base_url: `http://localhost:${second.port}` });
    const texts = await until(async () => {
      const rows = await sql.runText<{ text: string }>({
        text: "select parts->0->>'value' as text from messages where account_id = $1 and not is_from_me",
        values: [account.ref.id],
      });
      return rows.some(({ text }) => text === `new on ${deviceId}`) && rows.map(({ text }) => text);
    });
    expect(texts).not.toContain(`private on ${deviceId}`);
  },
);

function save(settings: Record<string, string>) {
  return setLineTransport(account.context(), {
    params: { lineId },
    query: undefined,
    body: { position: 1, transport: "android", settings },
  });
}

/** Saves the settings, and returns the cursor of the first poll with them. */
async function saveAndPoll(settings: Record<string, string>): Promise<{ since: number; readAt: number }> {
  const savedAt = now().getTime();
  await save(settings);
  return until(async () => {
    const [line] = await sql.runText<{ poll_cursor: string }>({
      text: "select poll_cursor from lines where id = $1",
      values: [lineId],
    });
    const cursor = JSON.parse(line?.poll_cursor ?? "{}");
    return cursor.readAt >= savedAt && cursor;
  });
}
