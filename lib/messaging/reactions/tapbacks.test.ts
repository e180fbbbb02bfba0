import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { describeChatChange } from "@/lib/messaging/groups/describe-chat-change";
import { parseTapback } from "@/lib/messaging/reactions/parse-tapback";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { lineOf } from "@/lib/testing/line-of";
import { receiveEvent } from "@/lib/testing/receive-event";

describe("a text in the form of a tapback", () => {
  test.each([
    ["Liked “See you at 7”", "like", null, false, { text: "See you at 7" }],
    ['Loved "See you at 7"', "love", null, false, { text: "See you at 7" }],
    ["Disliked “a\nb”", "dislike", null, false, { text: "a b" }],
    ["Laughed at “ha “ha””", "laugh", null, false, { text: "ha “ha”" }],
    ["Emphasized “x”", "emphasize", null, false, { text: "x" }],
    ["Emphasised “x”", "emphasize", null, false, { text: "x" }],
    ["Questioned “x”", "question", null, false, { text: "x" }],
    ["Removed a heart from “x”", "love", null, true, { text: "x" }],
    ["Removed a like from “x”", "like", null, true, { text: "x" }],
    ["Removed an exclamation from “x”", "emphasize", null, true, { text: "x" }],
    ["Removed an exclamation mark from “x”", "emphasize", null, true, { text: "x" }],
    ["Removed a question mark from “x”", "question", null, true, { text: "x" }],
    ["Loved an image", "love", null, false, { file: "image" }],
    ["Laughed at a movie", "laugh", null, false, { file: "video" }],
    ["Removed a like from an attachment", "like", null, true, { file: "" }],
    ["Reacted 😂 to “x”", "custom", "😂", false, { text: "x" }],
    ["Reacted 👩🏽‍💻 to an image", "custom", "👩🏽‍💻", false, { file: "image" }],
    ["Removed 😂 from “x”", "custom", "😂", true, { text: "x" }],
    ["👍 to “x”", "like", null, false, { text: "x" }],
    ["❤️ to “x”", "love", null, false, { text: "x" }],
    ["🎉 to “x”", "custom", "🎉", false, { text: "x" }],
    ["👍 removed from “x”", "like", null, true, { text: "x" }],
    ["\u200a\u200b👍\u200b to “\u200ax y\u200a”\u200a", "like", null, false, { text: "x y" }],
    ["\u200a\u200b🎉\u200b auf „\u200ax y\u200a“\u200a", "custom", "🎉", false, { text: "x y" }],
    ["\u200aRemoved \u200c👍\u200c from “\u200ax y\u200a”\u200a", "like", null, true, { text: "x y" }],
  ] as const)("%j is read", (text, type, emoji, isRemoved, about) => {
    expect(parseTapback(text)).toEqual({ type, emoji, isRemoved, about });
  });

  test.each([
    "Loved it!",
    "Liked the photo",
    "I Liked “x”",
    "Liked “x” a lot",
    "Liked “x",
    "Reacted badly to “x”",
    "Removed the milk from “x”",
    "to “x”",
    "😂".repeat(500),
    `Reacted ${"❤️".repeat(500)} to`,
    "",
  ])("%j is a text", (text) => {
    expect(parseTapback(text)).toBeNull();
  });
});

let account: TestAccount;
let line: LineRef;
let counter = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  line = await lineOf(account);
});

async function receive(
  from: string,
  text: string,
  service: "SMS" | "RCS" | "iMessage" = "SMS",
  ref = `tap-${++counter}`,
) {
  const parts = [{ type: "text", value: text }] as const;
  await receiveEvent(line, {
    type: "message",
    ref,
    groupRef: null,
    from,
    others: [],
    service,
    at: new Date(),
    parts,
  });
}

const query = <Row extends object>(text: string, handle: string) =>
  sql.runText<Row>({ text, values: [account.ref.id, handle] });

const textsOf = async (handle: string) => {
  const rows = await query<{ text: string }>(
    `select m.parts->0->>'value' as text from messages m join participants p on p.id = m.sender_id
     where m.account_id = $1 and p.handle = $2 order by m.position`,
    handle,
  );
  return rows.map(({ text }) => text);
};

const reactionsOf = (handle: string) =>
  query<{ type: string; emoji: string | null }>(
    `select r.type, r.emoji from reactions r join participants p on p.account_id = r.account_id and p.id = r.participant_id
     where r.account_id = $1 and p.handle = $2`,
    handle,
  );

const isOptedOut = async (handle: string) => {
  const rows = await query(
    "select 1 from contacts where account_id = $1 and handle = $2 and opted_out_at is not null",
    handle,
  );
  return rows.length > 0;
};

/** Sends a text to a person who has written. */
async function sendTo(handle: string, text: string): Promise<void> {
  const [chat] = await query<{ id: string }>(
    "select id from chats where account_id = $1 and participants_key = $2",
    handle,
  );
  const { status } = await callApi(`POST /v3/chats/${chat?.id}/messages`, {
    token: account.token,
    body: { message: { parts: [{ type: "text", value: text }] } },
  });
  expect(status).toBe(202);
}

const newHandle = () => `+1202558${1000 + ++counter}`;

describe("a tapback over SMS", () => {
  test("whose quotation is of the chat is a reaction, added, replaced and removed, and a repeat changes nothing", async () => {
    const from = newHandle();
    await receive(from, "hello");
    await sendTo(from, "Your table is “ready” for\n7 pm");
    await receive(from, "Liked “Your table is “ready” for 7 pm”", "SMS", "once");
    await receive(from, "Liked “Your table is “ready” for 7 pm”", "SMS", "once");
    expect(await reactionsOf(from)).toEqual([{ type: "like", emoji: null }]);
    await receive(from, 'Reacted 🎉 to "Your table is "ready" f…"', "RCS");
    expect(await reactionsOf(from)).toEqual([{ type: "custom", emoji: "🎉" }]);
    await receive(from, "Removed 🎉 from “Your table is “ready” for 7 pm”");
    expect(await reactionsOf(from)).toEqual([]);
    expect(await textsOf(from)).toEqual(["hello"]);
    const events = await query<{ type: string }>(
      `select type from events where account_id = $1 and type like 'reaction.%'
         and data #>> '{from_handle,handle}' = $2 order by seq`,
      from,
    );
    expect(events.map(({ type }) => type)).toEqual([
      "reaction.added",
      "reaction.removed",
      "reaction.added",
      "reaction.removed",
    ]);
  });

  test("neither begins nor ends an opt-out, and without its message it is a text, which ends one", async () => {
    const from = newHandle();
    await receive(from, "hello");
    await sendTo(from, "Reply STOP to opt out");
    await receive(from, "STOP");
    await receive(from, "👍 to “Reply STOP to opt out”");
    expect(await isOptedOut(from)).toBe(true);
    await receive(from, "Liked “something else”");
    expect(await isOptedOut(from)).toBe(false);
    expect(await textsOf(from)).toEqual(["hello", "STOP", "Liked “something else”"]);
  });

  test("is a text over iMessage, and from a person without a chat", async () => {
    const [known, stranger] = [newHandle(), newHandle()];
    await receive(known, "hello", "iMessage");
    await receive(known, "Liked “hello”", "iMessage");
    await receive(stranger, "Liked “hello”");
    expect(await textsOf(known)).toEqual(["hello", "Liked “hello”"]);
    expect(await textsOf(stranger)).toEqual(["Liked “hello”"]);
  });
});

test("a reaction of a type that a vendor added is custom with its emoji, and a note without one", async () => {
  const from = newHandle();
  await receive(from, "hello", "iMessage", "reacted-to");
  const about = { type: "reaction", ref: "reacted-to", part: 0, from, isRemoved: false } as const;
  await receiveEvent(line, { ...about, reaction: { type: "image", emoji: "🦆" } as never });
  await receiveEvent(line, { ...about, reaction: { type: "image" } as never });
  expect(await reactionsOf(from)).toEqual([{ type: "custom", emoji: "🦆" }]);
  const notes = await query<{ type: string; data: unknown }>(
    "select type, data from events where account_id = $1 and type = 'chat.action_failed' and data ->> 'handle' = $2",
    from,
  );
  expect(notes.map(({ type, data }) => describeChatChange(type, data))).toEqual([
    `${from} reacted to a message in a way that can't be shown`,
  ]);
});

describe("a sender that is no number", () => {
  test.each(["68849", "MyBank", "whatsapp:+12025550123"])(
    "%s is stored as it came, and sends to the chat fail with 400/1002",
    async (from) => {
      await receive(from, "Your code is 1234");
      expect(await textsOf(from)).toEqual(["Your code is 1234"]);
      const [chat] = await query<{ id: string }>(
        "select id from chats where account_id = $1 and participants_key = $2",
        from,
      );
      const body = { message: { parts: [{ type: "text", value: "thanks" }] } };
      const sent = await callApi(`POST /v3/chats/${chat?.id}/messages`, { token: account.token, body });
      expect([sent.status, sent.body.error.code]).toEqual([400, 1002]);
      const opened = await callApi("POST /v3/chats", {
        token: account.token,
        body: { ...body, from: account.line, to: [from] },
      });
      expect([opened.status, opened.body.error.code]).toEqual([400, 1002]);
    },
  );

  test("opts out and in like any", async () => {
    await receive("77777", "STOP");
    expect(await isOptedOut("77777")).toBe(true);
    await receive("77777", "hello again");
    expect(await isOptedOut("77777")).toBe(false);
  });
});
