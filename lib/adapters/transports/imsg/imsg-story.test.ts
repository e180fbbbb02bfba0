import "@/lib/testing/use-test-database";

import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLineSessions } from "@/lib/lines/lines/keep-sessions";
import { setLineConnection } from "@/lib/lines/lines/line-connection";
import { startLinePolls } from "@/lib/lines/lines/poll-lines";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { startDispatch } from "@/lib/messaging/messages/dispatch-messages";
import { sql } from "@/lib/platform/db";
import { reloadEnv } from "@/lib/platform/env";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { startFakeMac } from "@/lib/testing/fake-mac";
import { sampleImage } from "@/lib/testing/file-samples";
import { until } from "@/lib/testing/until";

const PERSON = "+15550106100";
const OTHER = "+15550106101";

let account: TestAccount;
let mac: Awaited<ReturnType<typeof startFakeMac>>;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  mac = await startFakeMac();
  process.env.IMSG_COMMAND = mac.command;
  reloadEnv();
  account = await createTestAccount({ type: "production" });
  const [line] = await sql.query<{ id: string }>({
    text: "update lines set transport = 'imsg' where account_id = $1 returning id",
    values: [account.ref.id],
  });
  await setLineConnection({ accountId: account.ref.id, id: line?.id ?? "" }, { throughput: "100" });
  running.push(startLineSessions(waitingSink), startDispatch(), startActions(), startLinePolls(waitingSink));
});
afterAll(async () => {
  for (const part of running.reverse()) await part.stop();
  await mac.close();
  delete process.env.IMSG_COMMAND;
  reloadEnv();
});

const get = async (route: string) => (await callApi(`GET ${route}`, { token: account.token })).body;
const identifierOf = (guid = "") => guid.split(";").at(-1) ?? "";
const statusOf = async (id: string) => (await get(`/v3/messages/${id}`)).delivery_status;

test("a message is delivered and read, a reply with a photo and a reaction comes in, and a failure is reported", async () => {
  const { chatId, messageId } = await account.sendFirst(PERSON);
  await until(async () => (await statusOf(messageId)) === "delivered");
  mac.readAll(PERSON);
  await until(async () => (await statusOf(messageId)) === "read");
  expect(mac.sent).toMatchObject([{ guid: messageId, to: PERSON, text: "hello" }]);

  const photo = path.join(mac.directory, "photo.jpg");
  const bytes = await sampleImage("jpeg");
  writeFileSync(photo, bytes);
  mac.write(PERSON, "Like this?", {
    attachments: [
      {
        original_path: photo,
        total_bytes: bytes.length,
        transfer_name: "photo.jpg",
        mime_type: "image/jpeg",
      },
    ],
  });
  const reply = await until(async () => {
    const { messages } = await get(`/v3/chats/${chatId}/messages`);
    return messages.find(({ is_from_me }: { is_from_me: boolean }) => !is_from_me);
  });
  expect(reply.parts).toMatchObject([
    { type: "text", value: "Like this?" },
    { type: "media", mime_type: "image/jpeg", size_bytes: bytes.length },
  ]);
  const reaction = { is_reaction: true as const, reaction_type: "love", is_reaction_add: true };
  mac.write(PERSON, "", { ...reaction, reacted_to_guid: messageId });
  await until(async () => (await get(`/v3/messages/${messageId}`)).parts[0].reactions?.length === 1);

  const { messageId: failed } = await account.sendFirst(OTHER);
  mac.fail(OTHER);
  await until(async () => ["failed"].includes(await statusOf(failed)) || mac.fail(OTHER));
});

test("a group is created by its first message, and its answers are in the same chat", async () => {
  const { body } = await callApi("POST /v3/chats", {
    token: account.token,
    body: {
      from: account.line,
      to: ["+15550106102", "+15550106103"],
      message: { parts: [{ type: "text", value: "hello group" }] },
    },
  });
  await until(async () => (await statusOf(body.chat.message.id)) === "sent");
  const created = mac.sent.at(-1);
  expect(created?.text).toBe("hello group");
  const participants = ["+15550106102", "+15550106103"];
  mac.write("+15550106102", "hi", {}, { group: { identifier: identifierOf(created?.to), participants } });
  await until(async () => {
    const { messages } = await get(`/v3/chats/${body.chat.id}/messages`);
    return messages.some(({ is_from_me }: { is_from_me: boolean }) => !is_from_me);
  });
});

test("messages that arrive while imsg is restarting are in the chat once it runs", async () => {
  const { chatId } = await account.sendFirst("+15550106104");
  await until(() => mac.sent.some(({ to }) => to === "+15550106104"));
  mac.crash();
  mac.write("+15550106104", "missed");
  await until(async () => {
    const { messages } = await get(`/v3/chats/${chatId}/messages`);
    return messages.filter(({ is_from_me }: { is_from_me: boolean }) => !is_from_me).length === 1;
  });
});
