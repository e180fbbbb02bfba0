import { EVENT_TYPES } from "@/lib/events/catalog/event-types";
import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAULT_NAMES } from "@/lib/adapters/transports/simulator/faults";
import { sql } from "@/lib/platform/database/db";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { type ApiAnswer, callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { sampleImage, sampleWav } from "@/lib/testing/samples/file-samples";
import { until } from "@/lib/testing/until";

// Everything that a partner can cause with an API token: each type of inbound event and each fault.
let account: TestAccount;
let worker: Worker;
let image: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
  image = (await sampleImage("png")).toString("base64");
});

afterAll(() => worker.stop());

const call = (what: `${string} ${string}`, body?: object): Promise<ApiAnswer> =>
  callApi(what, { token: account.token, body });

async function ok(what: `${string} ${string}`, body?: object) {
  const { status, body: answer } = await call(what, body);
  expect([what, status, status < 300 ? null : answer]).toEqual([what, expect.any(Number), null]);
  return answer;
}

let counter = 0;

async function newPhone(more: object = {}): Promise<string> {
  const handle = `+1777${1_000_000 + ++counter}`;
  await ok("POST /simulator/phones", { handle, delay_ms: 0, ...more });
  return handle;
}

/** A conversation that a phone started. A group has two more members. */
interface Place {
  phone: string;
  others: string[];
  chatId: string;
  /** The phone's first message. */
  wrote: string;
  write(parts: object[], more?: object): Promise<string>;
  on(what: `${string} ${string}`, body: object): Promise<unknown>;
}

async function open(isGroup = false): Promise<Place> {
  const phone = await newPhone();
  const others = isGroup ? [await newPhone(), await newPhone()] : [];
  const first = { to: account.line, also_to: others, text: "hello" };
  const { chat_id, message_id } = await ok(`POST /simulator/phones/${phone}/messages`, first);
  for (const other of others) {
    await ok(`POST /simulator/phones/${other}/messages`, { to: account.line, text: "hello" });
  }
  return {
    phone,
    others,
    chatId: chat_id,
    wrote: message_id,
    write: async (parts, more = {}) => {
      const body = { to: chat_id, parts, ...more };
      return (await ok(`POST /simulator/phones/${phone}/messages`, body)).message_id;
    },
    on: (what, body) => {
      const [method, path] = what.split(" ");
      return ok(`${method} /simulator/phones/${phone}/${path}`, body);
    },
  };
}

async function send(chatId: string, message: object = { parts: [{ type: "text", value: "hi" }] }) {
  return (await ok(`POST /v3/chats/${chatId}/messages`, { message })).message.id as string;
}

async function untilSent(messageId: string, status = "delivered"): Promise<void> {
  await until(async () => (await ok(`GET /v3/messages/${messageId}`)).delivery_status === status);
}

async function pollOf(place: Place) {
  const message_id = await place.write([{ type: "poll", options: [{ text: "yes" }, { text: "no" }] }]);
  const { poll } = await ok(`GET /v3/messages/${message_id}/poll`);
  return { message_id, option_id: poll.options[0].option_id as string };
}

const media = (more: object = {}) => ({ type: "media", data: image, filename: "a.png", ...more });
const vcard = Buffer.from("BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada\r\nFN:Ada Lovelace\r\nEND:VCARD\r\n");
const card = {
  type: "imessage_app",
  app: { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" },
  layout: { caption: "Your move" },
};
const wav = sampleWav(300).toString("base64");

/** An action, and the events that the partner receives. */
const KINDS: [string, (place: Place) => Promise<unknown>, string[], "group"?][] = [
  ["text", ({ write }) => write([{ type: "text", value: "hi" }]), ["message.received"]],
  [
    "a file, text and a link",
    ({ write }) => write([{ type: "text", value: "see" }, media()]),
    ["message.received"],
  ],
  ["a link", ({ write }) => write([{ type: "link", value: "https://example.com/a" }]), ["message.received"]],
  ["an app's card", ({ write }) => write([card]), ["message.received"]],
  ["a sticker", ({ write }) => write([media({ sticker: true })]), ["message.received"]],
  [
    "a voice memo",
    ({ write }) => write([media({ data: wav, filename: "a.wav", voice_memo: true })]),
    ["message.received"],
  ],
  [
    "an effect",
    ({ write }) => write([{ type: "text", value: "hi" }], { effect: { type: "screen", name: "confetti" } }),
    ["message.received"],
  ],
  [
    "a reply",
    ({ write, wrote }) =>
      write([{ type: "text", value: "hi" }], { reply_to: { message_id: wrote, part_index: 0 } }),
    ["message.received"],
  ],
  [
    "what the network reports three times",
    ({ write }) => write([media()], { reports: 3 }),
    ["message.received"],
  ],
  [
    "what the network had missed",
    ({ write }) => write([{ type: "text", value: "hi" }], { late_seconds: 60 }),
    ["message.received"],
  ],
  [
    "a contact card",
    ({ write }) => write([media({ data: vcard.toString("base64"), filename: "ada.vcf" })]),
    ["message.received", "contact_card.received"],
  ],
  [
    "a mention",
    ({ write, others }) =>
      write([{ type: "text", value: "@you", mentions: [{ handle: others[0], range: [0, 4] }] }]),
    ["message.received"],
    "group",
  ],
  ["an edit", ({ on, wrote }) => on("POST edits", { message_id: wrote, text: "bye" }), ["message.edited"]],
  ["an unsent message", ({ on, wrote }) => on("POST unsends", { message_id: wrote }), []],
  [
    "a reaction",
    ({ on, wrote }) => on("POST reactions", { message_id: wrote, type: "love" }),
    ["reaction.added"],
  ],
  [
    "a custom reaction, taken back",
    async ({ on, wrote }) => {
      for (const operation of ["add", "remove"]) {
        await on("POST reactions", { message_id: wrote, type: "custom", custom_emoji: "🦊", operation });
      }
    },
    ["reaction.added", "reaction.removed"],
  ],
  [
    "a sticker on a message",
    ({ on, wrote }) => on("POST reactions", { message_id: wrote, type: "sticker", sticker: media() }),
    ["reaction.added"],
  ],
  [
    "typing, and its end",
    async ({ on, chatId }) => {
      await on("POST typing", { chat_id: chatId });
      await on("DELETE typing", { chat_id: chatId });
    },
    ["chat.typing_indicator.started", "chat.typing_indicator.stopped"],
  ],
  [
    "a read receipt",
    async ({ on, chatId }) => {
      const id = await send(chatId);
      await untilSent(id);
      await on("POST read", { chat_id: chatId });
      await untilSent(id, "read");
    },
    ["message.sent", "message.delivered", "message.read"],
  ],
  [
    "a participant who leaves",
    ({ on, chatId }) => on("POST leave", { chat_id: chatId }),
    ["participant.removed"],
    "group",
  ],
  [
    "a participant who is added",
    async ({ on, chatId }) => on("POST participants", { chat_id: chatId, handle: await newPhone() }),
    ["participant.added"],
    "group",
  ],
  [
    "a participant who is removed",
    ({ on, chatId, others }) => on("DELETE participants", { chat_id: chatId, handle: others[0] }),
    ["participant.removed"],
    "group",
  ],
  [
    "a new name",
    ({ on, chatId }) => on("PUT group", { chat_id: chatId, name: "Dinner" }),
    ["chat.group_name_updated"],
    "group",
  ],
  [
    "a new icon",
    async ({ on, chatId, wrote, write }) => {
      const id = await write([media()]);
      expect(id).not.toBe(wrote);
      const { parts } = await ok(`GET /v3/messages/${id}`);
      await on("PUT group", { chat_id: chatId, icon: { attachment_id: parts[0].id } });
    },
    ["message.received", "chat.group_icon_updated"],
    "group",
  ],
  [
    "a background, and none",
    async ({ on, chatId }) => {
      await on("POST background", { chat_id: chatId, background: { type: "color", variant: "lime" } });
      await on("DELETE background", { chat_id: chatId });
    },
    ["chat.background_updated", "chat.background_updated"],
  ],
  [
    "a location that is shared, moves and stops",
    async ({ on, chatId }) => {
      const position = { longitude: 13.4, latitude: 52.5 };
      await on("POST location", { to: chatId, position });
      await on("PATCH location", { to: chatId, position });
      await on("DELETE location", { to: chatId });
    },
    ["location.sharing.started", "location.sharing.stopped"],
  ],
  ["a poll", (place) => pollOf(place), ["poll.received"]],
  [
    "more options, a vote, and the vote taken back",
    async (place) => {
      const { message_id, option_id } = await pollOf(place);
      await place.on("POST poll_options", { message_id, options: [{ text: "maybe" }] });
      await place.on("POST votes", { message_id, option_id });
      await place.on("POST votes", { message_id, option_id, operation: "remove" });
    },
    ["poll.received", "poll.updated", "poll.vote.added", "poll.vote.removed"],
  ],
  [
    "a sticker on a poll",
    async (place) => {
      const { message_id } = await pollOf(place);
      await place.on("POST reactions", { message_id, type: "sticker", custom_emoji: "🎉" });
    },
    ["poll.received", "poll.reaction.added"],
  ],
  [
    "two texts that are one turn",
    async ({ write, chatId }) => {
      const { id } = await ok("POST /v3/webhook-subscriptions", {
        target_url: `https://example.com/${chatId}`,
        subscribed_events: ["chat.turn"],
        turns: { quiet_seconds: 0.5 },
      });
      const before = await lastEvent();
      await write([{ type: "text", value: "are you" }]);
      await write([{ type: "text", value: "open?" }]);
      await until(async () => (await eventsIn(chatId, before)).includes("chat.turn"));
      await ok(`DELETE /v3/webhook-subscriptions/${id}`);
    },
    ["message.received", "message.received", "chat.turn"],
  ],
];

async function eventsIn(chatId: string, after: string): Promise<string[]> {
  const rows = await sql.runText<{ type: string }>({
    text: `select type from events where account_id = $1 and chat_id = $2 and seq > $3 and not internal order by seq`,
    values: [account.ref.id, chatId, after],
  });
  return rows.map(({ type }) => type);
}

async function lastEvent(): Promise<string> {
  const [row] = await sql.runText<{ seq: string }>({ text: "select max(seq)::text as seq from events" });
  return row?.seq ?? "0";
}

describe("a phone causes", () => {
  test.each(KINDS)("%s", async (_, act, events, where) => {
    const place = await open(where === "group");
    const before = await lastEvent();

    await act(place);

    await until(async () => (await eventsIn(place.chatId, before)).length >= events.length);
    expect(await eventsIn(place.chatId, before)).toEqual(events);
  });

  test("every event a message's receiver can be the cause of", () => {
    const caused = new Set(KINDS.flatMap(([, , events]) => events));
    const ours = /^(message|reaction|participant|chat|poll|location|contact_card)\./;
    const byLines =
      /failed$|^message\.unsent$|^contact_card\.(created|updated|deleted)$|^poll\.(sent|delivered|read)$|^chat\.(created|loop_detected|resumed)$/;
    const neverSent = /^message\.opt_/;
    const inbound = EVENT_TYPES.filter(
      (type) => ours.test(type) && !byLines.test(type) && !neverSent.test(type),
    );
    expect(inbound.filter((type) => !caused.has(type))).toEqual([]);
  });
});

/** The codes of message.failed that a phone's fault causes for a direct message, if any. */
const FAULTS: Record<(typeof FAULT_NAMES)[number], string> = {
  rejected: "4007",
  unsupported: "4005",
  unreachable: "4001",
  not_eligible: "4008",
  line_down: "queued",
  rate_limited: "pending",
  undeliverable: "4001",
  lost_answer: "delivered",
  lost_send: "pending",
  slow_answer: "pending",
};

test.each(FAULT_NAMES)("a phone whose fault is %s does that to a message", async (fault) => {
  const { phone, chatId } = await open();
  await ok("POST /simulator/phones", { handle: phone, fault });
  const id = await send(chatId);
  const expected = FAULTS[fault];
  const seen = async () => {
    const [failed] = await sql.runText<{ code: number }>({
      text: "select failure_code as code from messages where id = $1 and failure_code is not null",
      values: [id],
    });
    const { delivery_status } = await ok(`GET /v3/messages/${id}`);
    return delivery_status === "failed" ? String(failed?.code) : delivery_status;
  };
  await until(async () => (await seen()) === expected);
});

describe("a line", () => {
  const knob = (body: object) => ok(`PUT /simulator/lines/${account.line}`, body);

  test("is down: what is sent waits", async () => {
    const { chatId } = await open();
    await knob({ is_up: false });
    const id = await send(chatId);
    await untilSent(id, "queued");
    await knob({ is_up: true });
    await untilSent(id);
  });

  test("is flagged: 2027, and its partner is notified", async () => {
    const { chatId } = await open();
    await knob({ status: "FLAGGED" });
    const { body } = await call(`POST /v3/chats/${chatId}/messages`, {
      message: { parts: [{ type: "text", value: "hi" }] },
    });
    expect(body.error.code).toBe(2027);
    await knob({ status: "ACTIVE" });
    const rows = await sql.runText({
      text: "select from events where account_id = $1 and type = 'phone_number.status_updated'",
      values: [account.ref.id],
    });
    expect(rows).toHaveLength(2);
  });

  test("takes no changes: what was asked for fails", async () => {
    const { chatId } = await open(true);
    await knob({ changes_fail: true });
    const before = await lastEvent();
    await ok(`PUT /v3/chats/${chatId}`, { display_name: "Dinner" });
    await until(async () => (await eventsIn(chatId, before)).includes("chat.group_name_update_failed"));
    await knob({ changes_fail: false });
  });

  test("meets a phone that changes its platform: the next message goes over what is left", async () => {
    const { phone, chatId } = await open();
    const first = await send(chatId);
    await untilSent(first);
    await ok("POST /simulator/phones", { handle: phone, platform: "sms_only" });
    const second = await send(chatId);
    await untilSent(second, "sent");
    const services = await Promise.all(
      [first, second].map(async (id) => (await ok(`GET /v3/messages/${id}`)).service),
    );
    expect(services).toEqual(["iMessage", "SMS"]);
  });
});
