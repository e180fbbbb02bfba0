import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { startLineSessions } from "@/lib/lines/lines/keep-sessions";
import { setLineConnection } from "@/lib/lines/lines/line-connection";
import { startDispatch } from "@/lib/messaging/messages/dispatch-messages";
import { sql } from "@/lib/platform/db";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { startSmsc } from "@/lib/testing/smsc";
import { until } from "@/lib/testing/until";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1";

const PERSON = "+15550107100";
const DEAD = "+15550107101";

let account: TestAccount;
let smsc: Awaited<ReturnType<typeof startSmsc>>;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  smsc = await startSmsc({ receiptIds: "decimal" });
  account = await createTestAccount({ type: "production" });
  const [line] = await sql.query<{ id: string }>({
    text: "update lines set transport = 'smpp' where account_id = $1 returning id",
    values: [account.ref.id],
  });
  const connection = { host: "127.0.0.1", port: String(smsc.port), tls: "off", system_id: "trunkline" };
  await setLineConnection(
    { accountId: account.ref.id, id: line?.id ?? "" },
    { ...connection, password: "secret" },
  );
  running.push(startLineSessions(waitingSink), startDispatch());
});
afterAll(async () => {
  for (const part of running.reverse()) await part.stop();
  await smsc.close();
});

const get = async (path: string) => (await callApi(`GET ${path}`, { token: account.token })).body;
const statusOf = async (id: string) => (await get(`/v3/messages/${id}`)).delivery_status;

async function failureOf(messageId: string) {
  const [row] = await sql.query<{ code: number | null }>({
    text: "select failure_code as code from messages where account_id = $1 and id = $2",
    values: [account.ref.id, messageId],
  });
  return row?.code;
}

test("a message goes out, its receipt and the reply come in, and a failure has its code", async () => {
  const text = `Your table is ready 🎉 ${"and the kitchen is open until ten. ".repeat(4)}`;
  const { chatId, messageId } = await account.sendFirst(PERSON, { parts: [{ type: "text", value: text }] });
  await until(async () => (await statusOf(messageId)) === "sent");
  expect(smsc.messages()).toEqual([{ from: account.line.slice(1), to: PERSON, text }]);
  // The receipt is acknowledged once it is stored.
  await until(() => smsc.statuses.includes(0) && smsc.undelivered === 0);

  smsc.write({
    source_addr: PERSON.slice(1),
    destination_addr: account.line.slice(1),
    short_message: "On my way",
  });
  const reply = await until(async () => {
    const { messages } = await get(`/v3/chats/${chatId}/messages`);
    return messages.find(({ is_from_me }: { is_from_me: boolean }) => !is_from_me);
  });
  expect(reply).toMatchObject({ parts: [{ type: "text", value: "On my way" }], service: "SMS" });

  smsc.behave(DEAD, "undeliverable");
  const failed = await account.sendFirst(DEAD, { parts: [{ type: "text", value: "hello" }] });
  await until(async () => (await statusOf(failed.messageId)) === "failed");
  expect(await failureOf(failed.messageId)).toBe(4001);
});

test("while the SMS center is down, messages wait, and then all go out once and in order", async () => {
  const { chatId } = await account.sendFirst(PERSON, { parts: [{ type: "text", value: "before" }] });
  await until(() => smsc.messages().some(({ text }) => text === "before"));
  const { port } = smsc;
  await smsc.close();
  const isUp = async () => {
    const [row] = await sql.query<{ is_up: boolean }>({
      text: "select is_up from lines where account_id = $1",
      values: [account.ref.id],
    });
    return row?.is_up;
  };
  await until(async () => (await isUp()) === false);
  const texts = Array.from({ length: 10 }, (_, index) => `held ${index}`);
  for (const value of texts) {
    const { status } = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account.token,
      body: { message: { parts: [{ type: "text", value }] } },
    });
    expect(status).toBe(202);
  }
  smsc = await startSmsc({ port });
  await until(() => smsc.messages().length === texts.length);
  expect(smsc.messages().map(({ text }) => text)).toEqual(texts);
});
