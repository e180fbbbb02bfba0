import "@/lib/testing/use-test-database";

import LinqAPIV3 from "@linqapp/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listMessageViews } from "@/lib/messaging/messages/list-message-views";
import { sql } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { type ApiAnswer, callApi } from "@/lib/testing/call-api";
import { connectUpstream, type UpstreamTest, untilChecked } from "@/lib/testing/processes/connect-upstream";
import { type Peer, startPeer } from "@/lib/testing/processes/start-peer";
import { sampleImage, sampleWav } from "@/lib/testing/samples/file-samples";
import { serveApi } from "@/lib/testing/serve-api";
import { until } from "@/lib/testing/until";
import type { SimulatedPhone } from "@/lib/testkit/testing";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1";

let peer: Peer;
let upstream: UpstreamTest;
let api: Awaited<ReturnType<typeof serveApi>>;
let worker: Worker;
/** The official client of this instance. The phones belong to the peer. */
let client: LinqAPIV3;

beforeAll(async () => {
  api = await serveApi();
  process.env.BASE_URL = api.baseUrl;
  reloadEnv();
  peer = await startPeer();
  upstream = await connectUpstream(peer);
  client = new LinqAPIV3({ apiKey: upstream.account.token, baseURL: api.baseUrl, maxRetries: 0 });
  worker = await startWorker();
  await untilChecked(upstream);
});
afterAll(async () => {
  await worker.stop();
  await peer.close();
  await api.close();
  delete process.env.BASE_URL;
  reloadEnv();
});

const text = (value: string) => ({ parts: [{ type: "text" as const, value }] });
const call = (what: `${string} ${string}`, body?: unknown) =>
  callApi(what, { token: upstream.account.token, body });

/** A phone of the peer that has written to the line, and its chat in this instance. */
async function openChat(): Promise<{ phone: SimulatedPhone; chatId: string; inboundId: string }> {
  const phone = upstream.sim.phone();
  await phone.says("Hello from the phone");
  const message = await until(() => findInbound(phone.handle, "Hello from the phone"));
  return { phone, chatId: message.chat_id, inboundId: message.id };
}

interface InboundRow {
  id: string;
  chat_id: string;
  parts: ApiAnswer["body"];
}

async function findInbound(handle: string, value: string): Promise<InboundRow | undefined> {
  const [row] = await sql.runText<InboundRow>({
    text: `select m.id, m.chat_id, m.parts from messages m join participants p
             on p.account_id = m.account_id and p.id = m.sender_id and p.chat_id = m.chat_id
           where m.account_id = $1 and not m.is_from_me and p.handle = $2 and m.parts::text like '%' || $3 || '%'`,
    values: [upstream.account.ref.id, handle, value],
  });
  return row;
}

/** Resolves with the data of the newest event of a type in a chat. */
function untilEvent(type: string, chatId: string | null): Promise<ApiAnswer["body"]> {
  return until(async () => {
    const [row] = await sql.runText<{ data: unknown }>({
      text: `select data from events where account_id = $1 and type = $2 and ($3::uuid is null or chat_id = $3)
             order by seq desc limit 1`,
      values: [upstream.account.ref.id, type, chatId],
    });
    return row?.data;
  });
}

const untilStatus = (messageId: string, status: string) =>
  until(async () => (await client.messages.retrieve(messageId)).delivery_status === status);

async function send(chatId: string, message: object) {
  const { body, status } = await call(`POST /v3/chats/${chatId}/messages`, { message });
  expect(status, JSON.stringify(body)).toBe(202);
  return body.message as { id: string };
}

async function screenOf(phone: SimulatedPhone) {
  return upstream.sim.api.call("GET /simulator/phones/{handle}/messages", {
    path: { handle: phone.handle },
    query: {},
  });
}

/** Resolves once a line did something on a phone. */
const untilDone = (phone: SimulatedPhone, action: string) =>
  until(async () => (await screenOf(phone)).activity.find((each) => each.action === action));

async function upload(filename: string, type: string, content: Buffer): Promise<string> {
  const { body } = await call("POST /v3/attachments", {
    filename,
    content_type: type,
    size_bytes: content.length,
  });
  const { upload_url, required_headers } = body;
  const response = await fetch(upload_url, {
    method: "PUT",
    headers: required_headers,
    body: new Uint8Array(content),
  });
  expect(response.ok).toBe(true);
  return body.attachment_id;
}

test("a capability check is answered by the upstream, which allows one per ten seconds", async () => {
  const phone = await upstream.sim.phone().exists();
  const check = await client.capability.checkIMessage({
    address: phone.handle,
    from: upstream.account.line,
  });
  expect(check).toMatchObject({ available: true });
});

describe("in a direct chat", () => {
  test("a text goes out over iMessage, is delivered and read, and the timeline shows both sides", async () => {
    const { phone, chatId, inboundId } = await openChat();
    const { message } = await client.chats.messages.send(chatId, { message: text("Yes, at seven") });
    expect(await phone.receives("Yes, at seven")).toMatchObject({ from: upstream.sim.line });
    await untilStatus(message.id, "delivered");
    await phone.reads();
    await untilStatus(message.id, "read");
    expect(await client.messages.retrieve(message.id)).toMatchObject({ service: "iMessage" });
    const timeline = await listMessageViews(upstream.account.context(), {
      params: { chatId },
      query: { limit: 50 },
    });
    expect(timeline.messages.map(({ id }) => id)).toEqual([message.id, inboundId]);
  });

  test("an Android phone gets RCS and another SMS, which the receipts report", async () => {
    for (const [platform, service] of [
      ["android_rcs", "RCS"],
      ["sms_only", "SMS"],
    ] as const) {
      const phone = await upstream.sim.phone().is({ platform });
      await phone.says("Hello from Android");
      const { chat_id } = await until(() => findInbound(phone.handle, "Hello from Android"));
      const message = await send(chat_id, text("Welcome"));
      await until(async () => (await client.messages.retrieve(message.id)).service === service);
    }
  });

  test("files are stored on both sides", async () => {
    const { phone, chatId } = await openChat();
    const image = await sampleImage("jpeg");
    const attachment_id = await upload("menu.jpg", "image/jpeg", image);
    await send(chatId, {
      parts: [
        { type: "text", value: "Our menu" },
        { type: "media", attachment_id },
      ],
    });
    const { parts } = await phone.receives("Our menu");
    expect(parts).toMatchObject([{ type: "text" }, { type: "media", filename: "menu.jpg" }]);

    const created = await upstream.sim.api.call("POST /v3/attachments", {
      body: { filename: "us.jpg", content_type: "image/jpeg", size_bytes: image.length },
    });
    await fetch(created.upload_url, {
      method: "PUT",
      headers: created.required_headers,
      body: new Uint8Array(image),
    });
    const sent = [
      { type: "text" as const, value: "This is us" },
      { type: "media" as const, attachment_id: created.attachment_id },
    ];
    await phone.says({ parts: sent });
    const { id } = await until(() => findInbound(phone.handle, "This is us"));
    const [, file] = (await client.messages.retrieve(id)).parts ?? [];
    expect(file).toMatchObject({ type: "media", filename: "us.jpg", size_bytes: image.length });
    const url = file?.type === "media" ? (file.url ?? "") : "";
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(image)).toBe(true);
  });

  test("decorations, effects, links, cards and voice memos arrive as such", async () => {
    const { phone, chatId } = await openChat();
    await send(chatId, {
      parts: [{ type: "text", value: "Big day", text_decorations: [{ range: [0, 3], style: "bold" }] }],
      effect: { type: "screen", name: "confetti" },
    });
    const decorated = await phone.receives("Big day");
    expect(decorated.effect).toMatchObject({ name: "confetti" });
    expect(decorated.parts[0]).toMatchObject({ decorations: [{ range: [0, 3], style: "bold" }] });
    await send(chatId, { parts: [{ type: "link", value: "https://example.com/menu" }] });
    const card = {
      type: "imessage_app",
      app: { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" },
      layout: { caption: "Your move" },
      url: "https://example.com/game",
    };
    const played = await send(chatId, { parts: [card] });
    const attachment_id = await upload("hello.wav", "audio/x-wav", sampleWav(500));
    const { voice_memo } = await client.chats.sendVoicememo(chatId, { attachment_id });
    await untilStatus(voice_memo.id, "delivered");
    const types = (await phone.received()).map(({ parts }) => parts[0]?.type);
    expect(types).toEqual(["text", "link", "app_card", "media"]);
    await untilStatus(played.id, "delivered");
    const layout = { caption: "Their move" };
    const replaced = await client.messages.updateAppCard(played.id, { layout, url: card.url });
    await untilStatus(replaced.message.id, "delivered");
  });

  test("replies name the message on both sides", async () => {
    const { phone, chatId, inboundId } = await openChat();
    const answer = await send(chatId, { ...text("Hello back"), reply_to: { message_id: inboundId } });
    await phone.receives("Hello back");
    await untilStatus(answer.id, "delivered");
    const onPeer = (await screenOf(phone)).messages.find(({ parts }) => parts[0]?.value === "Hello back");
    await phone.says({ text: "And again", reply_to: { message_id: onPeer?.message_id ?? "" } });
    const { id } = await until(() => findInbound(phone.handle, "And again"));
    expect((await client.messages.retrieve(id)).reply_to).toMatchObject({ message_id: answer.id });
  });

  test("reactions and edits of both sides", async () => {
    const { phone, chatId, inboundId } = await openChat();
    const message = await send(chatId, text("Dinner at sevn"));
    await untilStatus(message.id, "delivered");
    await client.messages.addReaction(inboundId, { operation: "add", type: "love" });
    await client.messages.addReaction(message.id, { operation: "add", type: "custom", custom_emoji: "🎉" });
    await client.messages.update(message.id, { text: "Dinner at seven" });
    await until(async () => {
      const [screen] = (await screenOf(phone)).messages;
      return screen?.parts[0]?.value === "Dinner at seven" && screen.reactions.length === 1;
    });

    const [onPeer, first] = (await screenOf(phone)).messages;
    await phone.reacts(onPeer?.message_id ?? "", "like");
    await until(async () => {
      const { is_from_me, reaction_type, message_id } = await untilEvent("reaction.added", chatId);
      return !is_from_me && reaction_type === "like" && message_id === message.id;
    });
    await phone.edits(first?.message_id ?? "", "Hello from my new phone");
    await until(async () => {
      const { message: edited, part } = await untilEvent("message.edited", chatId);
      return edited.id === inboundId && part.text === "Hello from my new phone";
    });
  });

  test("a message is unsent at the upstream, and gone from the phone", async () => {
    const { phone, chatId } = await openChat();
    const message = await send(chatId, text("For someone else"));
    await untilStatus(message.id, "delivered");
    expect((await call(`POST /v3/messages/${message.id}/unsend`)).status).toBe(202);
    expect(await untilEvent("message.unsent", chatId)).toMatchObject({ message: { id: message.id } });
    await until(async () => {
      const [screen] = (await screenOf(phone)).messages;
      return screen?.unsent_at !== null && screen?.parts.length === 0;
    });
  });

  test("a sticker is placed, and moved", async () => {
    const { phone, chatId, inboundId } = await openChat();
    const sticker = { operation: "add", type: "sticker", emoji: "⭐", placement: { x: 0.5, y: 0.5 } };
    await call(`POST /v3/messages/${inboundId}/reactions`, sticker);
    await untilDone(phone, "react");
    const { parts } = (await call(`GET /v3/messages/${inboundId}`)).body;
    const placement = { x: -0.5, y: 0 };
    await call(`PATCH /v3/messages/${inboundId}/reactions/${parts[0].reactions[0].id}`, { placement });
    const moved = await untilDone(phone, "move_sticker");
    expect(moved?.detail).toMatchObject({ placement: { x: -0.5, y: 0 } });
    expect((await client.chats.retrieve(chatId)).id).toBe(chatId);
  });

  test("polls and votes of both sides", async () => {
    const { phone, chatId } = await openChat();
    const { body: poll } = await call(`POST /v3/chats/${chatId}/polls`, {
      poll: { options: [{ text: "Friday" }, { text: "Saturday" }] },
    });
    const messageId: string = poll.message_id;
    await untilStatus(messageId, "delivered");
    const onPeer = (await screenOf(phone)).messages[0]?.message_id ?? "";
    const shown = await upstream.sim.api.call("GET /v3/messages/{messageId}/poll", {
      path: { messageId: onPeer },
    });
    await phone.votes(onPeer, shown.poll.options[1]?.option_id ?? "");
    const readPoll = async () => (await call(`GET /v3/messages/${messageId}/poll`)).body.poll;
    await until(async () => (await readPoll()).total_voters === 1);
    expect((await readPoll()).options[1].voters).toMatchObject([{ handle: phone.handle }]);

    await call(`POST /v3/messages/${messageId}/poll/options`, { options: [{ text: "Sunday" }] });
    const sunday = (await readPoll()).options[2].option_id;
    await call(`POST /v3/messages/${messageId}/poll/votes`, { operation: "add", option_id: sunday });
    await until(async () => {
      const seen = await upstream.sim.api.call("GET /v3/messages/{messageId}/poll", {
        path: { messageId: onPeer },
      });
      return seen.poll.options[2]?.voters[0]?.handle === upstream.sim.line;
    });
  });

  test("typing and read receipts of both sides", async () => {
    const { phone, chatId } = await openChat();
    await phone.startsTyping();
    await untilEvent("chat.typing_indicator.started", chatId);
    await phone.stopsTyping();
    await untilEvent("chat.typing_indicator.stopped", chatId);
    await client.chats.typing.start(chatId);
    await untilDone(phone, "typing");
    await client.chats.markAsRead(chatId);
    await untilDone(phone, "read");
  });

  test("backgrounds of both sides", async () => {
    const { phone, chatId } = await openChat();
    await call(`POST /v3/chats/${chatId}/background`, { type: "color", variant: "mango" });
    await untilDone(phone, "set_background");
    const onPeer = (await screenOf(phone)).messages[0]?.chat_id ?? "";
    await upstream.sim.api.call("POST /simulator/phones/{handle}/background", {
      path: { handle: phone.handle },
      body: { chat_id: onPeer, background: { type: "dynamic", style: "sky", variant: "dusk" } },
    });
    await until(async () => {
      const { background } = await untilEvent("chat.background_updated", chatId);
      return background?.style === "sky";
    });
  });

  test("a shared location starts with its position and ends", async () => {
    const { phone, chatId } = await openChat();
    await client.chats.location.request(chatId);
    await untilDone(phone, "request_location");
    await phone.sharesLocation({ latitude: 37.77, longitude: -122.42 });
    expect(await untilEvent("location.sharing.started", chatId)).toMatchObject({
      shared_by: phone.handle,
      shared_with: upstream.account.line,
    });
    const { data } = await client.chats.location.retrieve(chatId);
    expect(data.features[0]?.geometry.coordinates).toEqual([-122.42, 37.77]);
    await phone.stopsSharingLocation();
    await untilEvent("location.sharing.stopped", chatId);
  });

  test("STOP opts out here and at the upstream, and START ends the opt-out", async () => {
    const { phone, chatId } = await openChat();
    await phone.says("STOP");
    const statusOf = async () => (await client.chats.retrieve(chatId)).health_status?.status;
    await until(async () => (await statusOf()) === "OPTED_OUT");
    const refused = await call(`POST /v3/chats/${chatId}/messages`, { message: text("one more") });
    expect(refused.body.error.code).toBe(2024);
    await phone.says("START");
    await until(async () => (await statusOf()) !== "OPTED_OUT");
  });

  test("a message that the upstream can't deliver fails with its code", async () => {
    const { phone, chatId } = await openChat();
    await phone.is({ fault: "unreachable" });
    const message = await send(chatId, text("Are you there?"));
    const failed = await untilEvent("message.failed", chatId);
    expect(failed).toMatchObject({ message: { id: message.id }, failure: { code: 4001 } });
  });

  test("a recipient that the upstream refuses fails with the reason", async () => {
    const { phone, chatId } = await openChat();
    await upstream.sim.api.call("POST /v3/blocked_handles", { body: { handle: phone.handle } });
    const message = await send(chatId, text("Blocked there"));
    const failed = await untilEvent("message.failed", chatId);
    expect(failed).toMatchObject({ message: { id: message.id } });
    expect(failed.failure.reason).toContain("(2026)");
  });
});

describe("in a group", () => {
  test("both sides create, name, answer and change the group", async () => {
    const phones = [upstream.sim.phone(), upstream.sim.phone(), upstream.sim.phone()];
    for (const phone of phones) await phone.says("Hi");
    const [ada, grace, joan] = phones as [SimulatedPhone, SimulatedPhone, SimulatedPhone];
    const { chat } = await client.chats.create({
      from: upstream.account.line,
      to: [ada.handle, grace.handle, joan.handle],
      message: text("Dinner for four?"),
    });
    await ada.receives("Dinner");
    await joan.receives("Dinner");

    const onPeer = (await screenOf(grace)).messages[0]?.chat_id ?? "";
    await grace.says("Gladly", { to: onPeer });
    expect(await until(() => findInbound(grace.handle, "Gladly"))).toMatchObject({ chat_id: chat.id });
    await send(chat.id, {
      parts: [
        { type: "text", value: "Grace, at seven", mentions: [{ handle: grace.handle, range: [0, 5] }] },
      ],
    });
    const mention = await grace.receives("at seven");
    expect(mention.parts[0]).toMatchObject({ mentions: [{ handle: grace.handle }] });

    await client.chats.update(chat.id, { display_name: "Friday dinner" });
    await untilDone(ada, "set_name");
    await ada.renamesGroup("Saturday dinner", onPeer);
    await until(async () => (await client.chats.retrieve(chat.id)).display_name === "Saturday dinner");

    const fourth = upstream.sim.phone();
    await fourth.says("Hi");
    await until(() => findInbound(fourth.handle, "Hi"));
    await client.chats.participants.add(chat.id, { handle: fourth.handle });
    const membersOf = async () =>
      (await client.chats.retrieve(chat.id)).handles.flatMap(({ handle, status }) =>
        status === "active" ? handle : [],
      );
    await until(async () => (await membersOf()).includes(fourth.handle));
    await joan.leaves(onPeer);
    await until(async () => !(await membersOf()).includes(joan.handle));
    await client.chats.participants.remove(chat.id, { handle: fourth.handle });
    await until(async () => !(await membersOf()).includes(fourth.handle));
    await fourth.says("Hi again");
  });

  test("a group that a person started arrives with its members", async () => {
    const [ada, grace] = [upstream.sim.phone(), upstream.sim.phone()];
    await grace.exists();
    await ada.says({ text: "The three of us", also_to: [grace.handle] });
    const { chat_id } = await until(() => findInbound(ada.handle, "The three of us"));
    const { is_group, handles } = await client.chats.retrieve(chat_id);
    expect(is_group).toBe(true);
    expect(handles.map(({ handle }) => handle).sort()).toEqual(
      [upstream.account.line, ada.handle, grace.handle].sort(),
    );
    await send(chat_id, text("Welcome"));
    await grace.receives("Welcome");
  });
});

describe("the line", () => {
  test("shows its contact card on the upstream's line, and shares it", async () => {
    const card = { phone_number: upstream.account.line, first_name: "Harbor", last_name: "Kitchen" };
    await client.contactCard.create(card);
    const cards = () => upstream.sim.api.call("GET /v3/contact_card", { query: {} });
    expect((await cards()).contact_cards).toMatchObject([{ first_name: "Harbor", last_name: "Kitchen" }]);
    await client.contactCard.update({ phone_number: upstream.account.line, first_name: "Pier" });
    expect((await cards()).contact_cards).toMatchObject([{ first_name: "Pier", last_name: "Kitchen" }]);
    const { phone, chatId } = await openChat();
    const message = await send(chatId, text("Here is our card"));
    await untilStatus(message.id, "delivered");
    await client.chats.shareContactCard(chatId);
    await untilDone(phone, "share_contact_card");
  });

  test("is flagged while the upstream's line is flagged, and its messages wait", async () => {
    const { phone, chatId } = await openChat();
    const lines = (body: object) =>
      upstream.sim.api.call("PUT /simulator/lines/{phoneNumber}", {
        path: { phoneNumber: upstream.sim.line },
        body,
      });
    await lines({ status: "FLAGGED" });
    await until(async () => (await upstream.state()).status === "FLAGGED");
    expect((await call(`POST /v3/chats/${chatId}/messages`, { message: text("no") })).body.error.code).toBe(
      2027,
    );
    await lines({ status: "ACTIVE" });
    await until(async () => (await upstream.state()).status === "ACTIVE");
    await untilChecked(upstream);
    await send(chatId, text("Open again"));
    await phone.receives("Open again");
  });
});
