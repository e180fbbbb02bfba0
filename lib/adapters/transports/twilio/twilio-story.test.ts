import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import type { VendorRequest } from "@/lib/adapters/transports/callback";
import { startLineSessions } from "@/lib/lines/connections/keep-sessions";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { sampleImage } from "@/lib/testing/samples/file-samples";
import { serveApi } from "@/lib/testing/serve-api";
import { until } from "@/lib/testing/until";
import { startFakeTwilio } from "@/lib/testing/vendors/fake-twilio";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1";

const ACCOUNT_SID = `AC${"0".repeat(32)}`;
const TOKEN = "twilio-token";
const PERSON = "+15550109000";
const GONE = "+15550109001";

let account: TestAccount;
let twilio: Awaited<ReturnType<typeof startFakeTwilio>>;
let api: Awaited<ReturnType<typeof serveApi>>;
let webhook: string;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  api = await serveApi();
  process.env.BASE_URL = api.baseUrl;
  reloadEnv();
  twilio = await startFakeTwilio({ accountSid: ACCOUNT_SID, authToken: TOKEN, rcsSender: "brand" });
  account = await createTestAccount({ type: "production" });
  const [line] = await sql.runText<{ id: string }>({
    text: "update lines set transport = 'twilio', line_type = 'RCS' where account_id = $1 returning id",
    values: [account.ref.id],
  });
  await setLineConnection(
    { accountId: account.ref.id, id: line?.id ?? "" },
    {
      account_sid: ACCOUNT_SID,
      auth_token: TOKEN,
      base_url: twilio.url,
      messaging_service_sid: `MG${"1".repeat(32)}`,
      rcs: "on",
    },
  );
  webhook = `${api.baseUrl}/inbound/lines/${line?.id}`;
  twilio.callTo(async ({ url, headers, body, method }: VendorRequest) => {
    const response = await fetch(url, { method, headers, body: Buffer.from(body) });
    return response.ok;
  });
  running.push(startLineSessions(waitingSink), startDispatch());
});
afterAll(async () => {
  twilio.callTo(null);
  for (const part of running.reverse()) await part.stop();
  await twilio.close();
  await api.close();
  delete process.env.BASE_URL;
  reloadEnv();
});

const get = async (path: string) => (await callApi(`GET ${path}`, { token: account.token })).body;
const read = (id: string) => get(`/v3/messages/${id}`);

async function upload(filename: string, content: Buffer): Promise<string> {
  const { body } = await callApi("POST /v3/attachments", {
    token: account.token,
    body: { filename, content_type: "image/jpeg", size_bytes: content.length },
  });
  await uploadFile(body, content);
  return body.attachment_id;
}

test("RCS with an image goes out, is delivered and read, a reply with an image comes in, and STOP opts out", async () => {
  twilio.giveRcs(PERSON);
  const image = await sampleImage("jpeg");
  const attachment_id = await upload("menu.jpg", image);
  const parts = [
    { type: "text", value: "Our menu" },
    { type: "media", attachment_id },
  ];
  const { chatId, messageId } = await account.sendFirst(PERSON, { parts });
  await until(async () => (await read(messageId)).delivery_status === "delivered");
  expect(await read(messageId)).toMatchObject({ service: "RCS" });
  const [sent] = twilio.messages;
  expect(sent).toMatchObject({ to: PERSON, body: "Our menu" });
  expect(sent?.media).toMatchObject([{ contentType: "image/jpeg" }]);
  expect(sent?.media[0]?.bytes.equals(image)).toBe(true);
  twilio.report(PERSON, "read");
  await until(async () => (await read(messageId)).delivery_status === "read");
  // An earlier status that arrives late changes nothing.
  twilio.report(PERSON, "sent");
  await until(() => twilio.pending === 0);
  expect((await read(messageId)).delivery_status).toBe("read");

  twilio.write(webhook, { From: `rcs:${PERSON}`, To: "rcs:brand", Body: "Like this?" }, [
    { contentType: "image/jpeg", bytes: image },
  ]);
  const reply = await until(async () => {
    const { messages } = await get(`/v3/chats/${chatId}/messages`);
    return messages.find(({ is_from_me }: { is_from_me: boolean }) => !is_from_me);
  });
  expect(reply.parts).toMatchObject([
    { type: "text", value: "Like this?" },
    { type: "media", mime_type: "image/jpeg", size_bytes: image.length },
  ]);

  twilio.write(webhook, { From: PERSON, To: account.line, Body: "Stop", OptOutType: "STOP" });
  await until(async () => (await get(`/v3/chats/${chatId}`)).health_status?.status === "OPTED_OUT");
  const refused = await callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account.token,
    body: { message: { parts: [{ type: "text", value: "one more" }] } },
  });
  expect(refused.body.error.code).toBe(2024);
});

test("a recipient who opted out at the carrier is opted out here", async () => {
  twilio.optOut(GONE);
  const { chatId, messageId } = await account.sendFirst(GONE);
  await until(async () => (await read(messageId)).delivery_status === "failed");
  await until(async () => (await get(`/v3/chats/${chatId}`)).health_status?.status === "OPTED_OUT");
});

test("a message whose response was lost fails with 4006, and Twilio's callback shows that it was sent", async () => {
  const person = "+15550109002";
  twilio.behave(person, "lost_answer");
  twilio.callTo(null);
  const { messageId } = await account.sendFirst(person);
  await until(async () => (await read(messageId)).delivery_status === "failed");
  twilio.callTo(async ({ url, headers, body }) => {
    const response = await fetch(url, { method: "POST", headers, body: Buffer.from(body) });
    return response.ok;
  });
  await until(async () => (await read(messageId)).delivery_status === "sent");
  expect(twilio.messages.filter(({ to }) => to === person)).toHaveLength(1);
});

test("a webhook with a wrong signature is refused and stores nothing", async () => {
  const body = new URLSearchParams({ MessageSid: "SM9", From: PERSON, Body: "forged" });
  const headers = { "x-twilio-signature": "AAAA", "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(webhook, { method: "POST", headers, body });
  expect(response.status).toBe(403);
});
