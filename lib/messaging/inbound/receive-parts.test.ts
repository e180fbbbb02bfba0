import "@/lib/testing/use-test-database";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { setAttachmentTier } from "@/lib/attachments/retention/set-attachment-tier";
import { renderEvent } from "@/lib/events/catalog/render-event";
import { nameOnCard } from "@/lib/messaging/content/read-contact-card";
import { deleteMessage } from "@/lib/messaging/expiry/delete-message";
import { prisma, sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  readMessage,
  writeAs,
} from "@/lib/testing/factories";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

const written = (handle: string, body: object) =>
  callApi(`POST /simulator/phones/${handle}/messages`, {
    token: account.token,
    body: { to: account.line, ...body },
  });

const CARD = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada;;;\r\nFN:Ada Lovelace\r\nEND:VCARD\r\n";
/** The file's URL as a webhook would contain it now. */
async function cardUrlOf({ ref }: TestAccount, messageId: string): Promise<string> {
  const event = await prisma().event.findFirstOrThrow({
    where: { accountId: ref.id, messageId, type: "contact_card.received" },
  });
  const { data } = renderEvent(event, ref.partnerId, "2026-02-03");
  return z.object({ media_url: z.url() }).parse(data).media_url;
}

const vcard = { type: "media", filename: "ada.vcf", data: Buffer.from(CARD).toString("base64") };

describe("a contact's message", () => {
  test("an effect, a link, an app card are shown as they came, in the message and its event", async () => {
    const phone = await createTestPhone(account);
    const app = { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" };
    for (const part of [
      { type: "link", value: "https://a.example/x" },
      { type: "imessage_app", app, layout: { caption: "Join" }, url: "https://g.example" },
    ]) {
      const { body } = await written(phone, { parts: [part], effect: { type: "screen", name: "confetti" } });
      const message = await readMessage(account, body.message_id);
      expect(message).toMatchObject({ effect: { type: "screen", name: "confetti" }, parts: [part] });
      const [event] = await eventsOfMessage(account, body.message_id);
      expect(event).toMatchObject({
        type: "message.received",
        data: { message: { effect: message.effect, parts: [part] } },
      });
    }
  });

  test("mentions say who is meant, us too; over RCS there are none, nor where the range does not fit", async () => {
    const iphone = await createTestPhone(account);
    const android = await createTestPhone(account, { platform: "android_rcs" });
    const part = (end: number) => ({
      parts: [{ type: "text", value: "👋 you", mentions: [{ handle: account.line, range: [3, end] }] }],
      also_to: [iphone, android],
    });
    const shown = async (handle: string, end: number) => {
      const { body } = await written(handle, {
        ...part(end),
        also_to: handle === iphone ? [android] : [iphone],
      });
      return (await readMessage(account, body.message_id)).parts[0];
    };
    const mentions = [{ handle: account.line, is_me: true, range: [3, 6] }];
    expect(await shown(iphone, 6)).toMatchObject({ mentions, mention: account.line, mention_range: [3, 6] });
    expect(await shown(iphone, 9)).toMatchObject({ mentions: null, mention: null });
    expect(await shown(android, 6)).toMatchObject({ mentions: null });
  });

  test("a reply names what it answers; to a message of another chat, it is a message like others", async () => {
    const [one, two] = [await createTestPhone(account), await createTestPhone(account)];
    const first = await writeAs(account, one, { to: account.line, text: "first" });
    await createDirectChat(account, two);
    const reply_to = { message_id: first.messageId, part_index: 0 };
    const own = await written(one, { text: "yes", reply_to });
    expect(await readMessage(account, own.body.message_id)).toMatchObject({ reply_to });
    const thread = await callApi(`GET /v3/messages/${first.messageId}/thread`, { token: account.token });
    expect(thread.body.messages.map(({ id }: { id: string }) => id)).toEqual([
      first.messageId,
      own.body.message_id,
    ]);
    const strange = await written(two, { text: "yes", reply_to });
    expect(await readMessage(account, strange.body.message_id)).toMatchObject({ reply_to: null });
  });

  test("that was found late shows when, and keeps the time at which it was sent", async () => {
    const phone = await createTestPhone(account);
    const { body } = await written(phone, { text: "are you there?", late_seconds: 3600 });
    const message = await readMessage(account, body.message_id);
    expect(message.reconciled_at).toBe(message.created_at);
    expect(Date.parse(message.created_at) - Date.parse(message.sent_at ?? "")).toBeGreaterThanOrEqual(
      3_600_000,
    );
    const [event] = await eventsOfMessage(account, body.message_id);
    expect(event?.data.message.reconciled_at).toBe(message.reconciled_at);
    const live = await written(phone, { text: "hello" });
    expect(await readMessage(account, live.body.message_id)).not.toHaveProperty("reconciled_at");
  });

  test("a contact card is reported by its name, and deleting its message takes the name out of the event", async () => {
    const phone = await createTestPhone(account);
    const { body } = await written(phone, { parts: [vcard] });
    const emitted = await eventsOfMessage(account, body.message_id);
    expect(emitted.map(({ type }) => type)).toEqual(["message.received", "contact_card.received"]);
    expect(emitted[1]?.data).toMatchObject({
      first_name: "Ada",
      last_name: "Lovelace",
      owner_handle: account.line,
      sender_handle: phone,
    });
    const url = await cardUrlOf(account, body.message_id);
    expect((await fetchFile(url)).bytes.toString()).toBe(CARD);

    const input = { params: { messageId: body.message_id }, query: undefined, body: undefined };
    await deleteMessage(account.context(), input);
    const left = await eventsOfMessage(account, body.message_id);
    expect(JSON.stringify(left)).not.toMatch(/Ada|Lovelace/);
  });

  test("an ephemeral contact card opens by the address of its event", async () => {
    const ephemeral = await createTestAccount({ type: "sandbox" });
    await setAttachmentTier({ account: ephemeral.ref }, "ephemeral");
    const phone = await createTestPhone(ephemeral);
    const { body } = await callApi(`POST /simulator/phones/${phone}/messages`, {
      token: ephemeral.token,
      body: { to: ephemeral.line, parts: [vcard] },
    });
    const url = await cardUrlOf(ephemeral, body.message_id);
    expect((await fetchFile(url)).bytes.toString()).toBe(CARD);
    expect((await fetchFile(url.replace(/\?.*/, ""))).status).toBe(404);
  });

  test("is dropped with all its parts while the contact is blocked", async () => {
    const phone = await createTestPhone(account);
    await createDirectChat(account, phone);
    await sql.runText({
      text: "update contacts set blocked_at = now() where account_id = $1 and handle = $2",
      values: [account.ref.id, phone],
    });
    const { body } = await written(phone, { parts: [vcard], effect: { type: "bubble", name: "slam" } });
    expect(body).toEqual({ chat_id: null, message_id: null });
  });
});

test.each([
  [CARD, "Ada", "Lovelace"],
  ["BEGIN:VCARD\nitem1.N;CHARSET=UTF-8:;Björn;;;\nEND:VCARD", "Björn", ""],
  ["BEGIN:VCARD\nFN:Harbor\\, Inc.\nEND:VCARD", "Harbor, Inc.", ""],
  ["BEGIN:VCARD\nN:Very Lo\n ng;Name\nEND:VCARD", "Name", "Very Long"],
  ["BEGIN:VCARD\nEND:VCARD", "", ""],
])("the name on %j", (card, first_name, last_name) => {
  expect(nameOnCard(card)).toEqual({ first_name, last_name });
});
