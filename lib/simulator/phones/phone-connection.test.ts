import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  readMessage,
  untilStatus,
} from "@/lib/testing/factories";
import { createTestGroup } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let worker: Worker;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
});

afterAll(() => worker.stop());

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

interface Inboxed {
  parts: { value: string }[];
  delivered_at: string | null;
}

/** The messages of a phone, oldest first. */
async function inbox(phone: string): Promise<Inboxed[]> {
  const { body } = await call(`GET /simulator/phones/${phone}/messages`);
  return body.messages.toReversed();
}

const arrived = async (phone: string) =>
  (await inbox(phone))
    .filter(({ delivered_at }) => delivered_at !== null)
    .map(({ parts }) => parts[0]?.value);

/** Sends a message to another phone, whose receipt the reporter handles after all that were due before. */
async function untilOthersReport(): Promise<void> {
  const other = await createTestPhone(account, { delay_ms: 1 });
  const id = await acceptTestMessage(account, await createDirectChat(account, other));
  await untilStatus(account, id, "delivered");
}

test.each(["airplane_mode", "battery_dead"] as const)(
  "messages wait for a phone in %s and arrive in order once it is online",
  async (connection) => {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    await changeTestPhone(account, phone, { connection });
    const ids: string[] = [];
    for (const text of ["one", "two", "three"]) ids.push(await acceptTestMessage(account, chatId, text));
    for (const id of ids) await untilStatus(account, id, "sent");
    await untilOthersReport();
    expect(await arrived(phone)).toEqual(["hello"]);
    expect((await readMessage(account, ids[0] ?? "")).delivery_status).toBe("sent");

    await changeTestPhone(account, phone, { connection: "online" });
    for (const id of ids) await untilStatus(account, id, "delivered");
    expect(await arrived(phone)).toEqual(["hello", "one", "two", "three"]);
    const delivered = await sql.runText<{ message_id: string }>({
      text: "select message_id from events where account_id = $1 and chat_id = $2 and type = 'message.delivered' order by seq",
      values: [account.ref.id, chatId],
    });
    expect(delivered.map(({ message_id }) => message_id)).toEqual(ids);
  },
);

test("a member in airplane mode gets what another member writes to the group later", async () => {
  const { chatId, phones } = await createTestGroup(account, 3);
  const [first = "", , offline = ""] = phones;
  await changeTestPhone(account, offline, { connection: "airplane_mode" });
  const { status } = await call(`POST /simulator/phones/${first}/messages`, {
    to: chatId,
    text: "where are you?",
  });
  expect(status).toBe(201);
  await untilOthersReport();
  expect(await arrived(offline)).toEqual(["hello all"]);

  await changeTestPhone(account, offline, { connection: "online" });
  await until(async () => (await arrived(offline)).length === 2);
  expect(await arrived(offline)).toEqual(["hello all", "where are you?"]);
});

test("a phone without a connection sends nothing, and says what to do", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  const messageId = await acceptTestMessage(account, chatId);
  await untilStatus(account, messageId, "delivered");
  await changeTestPhone(account, phone, { connection: "airplane_mode" });

  const at = `/simulator/phones/${phone}` as const;
  const attempts = [
    await call(`POST ${at}/messages`, { to: account.line, text: "hi" }),
    await call(`POST ${at}/messages`, { to: chatId, text: "hi" }),
    await call(`POST ${at}/typing`, { chat_id: chatId }),
    await call(`POST ${at}/reactions`, { message_id: messageId, type: "love" }),
    await call(`POST ${at}/location`, { to: account.line }),
  ];
  for (const { status, body } of attempts) {
    expect([status, body.error.message]).toEqual([409, expect.stringContaining("airplane mode")]);
  }
  expect((await call("POST /simulator/phones", { handle: phone })).body.connection).toBe("airplane_mode");
});
