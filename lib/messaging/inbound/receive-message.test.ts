import "@/lib/testing/use-test-database";
import { beforeAll, describe, expect, test } from "vitest";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { getChat } from "@/lib/messaging/chats/get-chat";
import { receiveMessage } from "@/lib/messaging/inbound/receive-message";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, eventsOfMessage, readMessage } from "@/lib/testing/factories";
import { lineOf } from "@/lib/testing/line-of";

let account: TestAccount;
let line: LineRef;
let counter = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  line = await lineOf(account);
});

const newHandle = () => `+1777${1_000_000 + ++counter}`;

function inbound(from: string, text: string, more: Partial<InboundMessage> = {}): InboundMessage {
  return {
    type: "message",
    ref: `ref-${++counter}`,
    groupRef: null,
    from,
    others: [],
    service: "iMessage",
    at: new Date(),
    parts: [{ type: "text", value: text }],
    ...more,
  };
}

async function receive(message: InboundMessage) {
  const received = await receiveMessage(line, message);
  if (received === null) throw new Error("the message was dropped");
  return received;
}

const chatOf = (chatId: string) =>
  getChat(account.context(), { params: { chatId }, query: undefined, body: undefined });

const healthOf = async (chatId: string) => (await chatOf(chatId)).health_status.status;

async function typesIn(chatId: string): Promise<string[]> {
  const rows = await sql.runText<{ type: string }>({
    text: "select type from events where account_id = $1 and chat_id = $2 and not internal order by seq",
    values: [account.ref.id, chatId],
  });
  return rows.map((row) => row.type);
}

/** Blocks a handle directly in the database. */
async function block(handle: string): Promise<void> {
  await sql.runText({
    text: `insert into contacts (account_id, handle, blocked_at) values ($1, $2, now())
           on conflict (account_id, handle) do update set blocked_at = now()`,
    values: [account.ref.id, handle],
  });
}

describe("an inbound message", () => {
  test("opens a chat, is received and stays so, and tells of both in order", async () => {
    const from = newHandle();
    const { chatId, messageId } = await receive(inbound(from, "hello"));
    const message = await readMessage(account, messageId);
    expect(message).toMatchObject({
      delivery_status: "received",
      is_from_me: false,
      from: from,
      service: "iMessage",
      chat_id: chatId,
    });
    expect(message.parts).toMatchObject([{ type: "text", value: "hello" }]);
    expect(await typesIn(chatId)).toEqual(["chat.created", "message.received"]);
    const [event] = await eventsOfMessage(account, messageId);
    expect(event?.data).toMatchObject({
      sender_handle: { handle: from, is_me: false },
      owner_handle: { handle: account.line, is_me: true },
    });
    expect(event?.trace_id).toMatch(/^[0-9a-f]{32}$/);
  });

  test("goes into the chat the line has with its sender, also one the partner opened", async () => {
    const from = newHandle();
    const first = await receive(inbound(from, "one"));
    const second = await receive(inbound(from, "two"));
    expect(second.chatId).toBe(first.chatId);
    const { chatId } = await account.sendFirst(from);
    expect(chatId).toBe(first.chatId);
  });

  test("reported twice, also at once, is one message", async () => {
    const message = inbound(newHandle(), "hello");
    const [first, second] = await Promise.all([receive(message), receive(message)]);
    expect(second).toEqual(first);
    expect(await receive(message)).toEqual(first);
    expect(await typesIn(first.chatId)).toEqual(["chat.created", "message.received"]);
  });

  test("first messages at once share one chat", async () => {
    const from = newHandle();
    const all = await Promise.all(["a", "b", "c", "d"].map((text) => receive(inbound(from, text))));
    expect(new Set(all.map((received) => received.chatId)).size).toBe(1);
  });

  test("moves the chat to the service it came over", async () => {
    const from = newHandle();
    const { chatId } = await receive(inbound(from, "blue"));
    await receive(inbound(from, "green", { service: "SMS" }));
    const chat = await chatOf(chatId);
    expect(chat.service).toBe("SMS");
    expect(chat.handles.map((handle) => handle.service)).toEqual(["SMS", "SMS"]);
  });

  test("of a blocked handle is dropped in a direct chat, and heard in a group", async () => {
    const from = newHandle();
    const { chatId } = await receive(inbound(from, "before"));
    await block(from);
    expect(await receiveMessage(line, inbound(from, "after"))).toBeNull();
    expect(await typesIn(chatId)).toEqual(["chat.created", "message.received"]);
    const group = await receive(inbound(from, "in a group", { groupRef: "g-block", others: [newHandle()] }));
    expect(await typesIn(group.chatId)).toEqual(["chat.created", "message.received"]);
  });

  test("of a blocked handle leaves no trace: its files are not read, nor has it written to the line", async () => {
    const from = newHandle();
    await block(from);
    let reads = 0;
    const open = async (): Promise<never> => {
      reads++;
      throw new Error("read");
    };
    const file = { type: "media", filename: "a.png", mimeType: "image/png", open } as const;
    expect(await receiveMessage(line, inbound(from, "", { parts: [file] }))).toBeNull();
    expect(await receiveMessage(line, inbound(from, "hello"))).toBeNull();

    expect(reads).toBe(0);
    const wrote = await sql.runText({
      text: "select 1 from line_contacts where account_id = $1 and handle = $2",
      values: [account.ref.id, from],
    });
    expect(wrote).toEqual([]);
  });
});

test("in a sandbox, a group in which one contact has written can be answered, though others in it never wrote", async () => {
  const silent = newHandle();
  const { chatId } = await receive(inbound(newHandle(), "hi all", { groupRef: "g-reply", others: [silent] }));
  await acceptTestMessage(account, chatId);
  const direct = { from: account.line, to: [silent], message: { parts: [{ type: "text", value: "hi" }] } };
  const { status, body } = await callApi("POST /v3/chats", { token: account.token, body: direct });
  expect([status, body.error.code]).toEqual([403, 2008]);
});

test("an effect that is not known here is kept as it came", async () => {
  const effect = { type: "wave", name: "ripple" };
  const { messageId } = await receive(inbound(newHandle(), "look", { effect }));
  expect((await readMessage(account, messageId)).effect).toEqual(effect);
});

describe("an inbound group message", () => {
  test("finds its chat by the transport's id, from any sender", async () => {
    const [ann, bob] = [newHandle(), newHandle()];
    const first = await receive(inbound(ann, "hi", { groupRef: "g-1", others: [bob] }));
    const second = await receive(inbound(bob, "ho", { groupRef: "g-1", others: [ann] }));
    expect(second.chatId).toBe(first.chatId);
    expect((await chatOf(first.chatId)).is_group).toBe(true);
  });

  test("is not the same members' direct chats, nor their other group", async () => {
    const [ann, bob] = [newHandle(), newHandle()];
    const direct = await receive(inbound(ann, "direct"));
    const one = await receive(inbound(ann, "hi", { groupRef: "g-2", others: [bob] }));
    const two = await receive(inbound(ann, "hi", { groupRef: "g-3", others: [bob] }));
    const again = await receive(inbound(bob, "hi", { groupRef: "g-3", others: [ann] }));
    expect(new Set([direct.chatId, one.chatId, two.chatId]).size).toBe(3);
    expect(again.chatId).toBe(two.chatId);
  });

  test("from a sender unknown to the chat makes the sender a participant", async () => {
    const [ann, bob, eve] = [newHandle(), newHandle(), newHandle()];
    const { chatId } = await receive(inbound(ann, "hi", { groupRef: "g-4", others: [bob] }));
    await receive(inbound(eve, "me too", { groupRef: "g-4", others: [ann, bob] }));
    expect((await chatOf(chatId)).handles.map((handle) => handle.handle)).toContain(eve);
    const emitted = ["chat.created", "message.received", "participant.added", "message.received"];
    expect(await typesIn(chatId)).toEqual(emitted);

    await receive(inbound(eve, "again", { groupRef: "g-4", others: [ann, bob] }));
    expect(await typesIn(chatId)).toEqual([...emitted, "message.received"]);
  });

  test("from a new sender keeps the group from being found by its first members", async () => {
    const [ann, bob, eve] = [newHandle(), newHandle(), newHandle()];
    const { chatId } = await receive(inbound(ann, "hi", { groupRef: "g-7", others: [bob] }));
    await receive(inbound(bob, "ho", { groupRef: "g-7", others: [ann] }));
    const message = { parts: [{ type: "text", value: "only you two" }] };
    const body = { from: account.line, to: [ann, bob], message };
    const before = await callApi("POST /v3/chats", { token: account.token, body });
    expect(before.body.chat.id).toBe(chatId);

    await receive(inbound(eve, "me too", { groupRef: "g-7", others: [ann, bob] }));
    const after = await callApi("POST /v3/chats", { token: account.token, body });
    expect(after.status).toBe(201);
    expect(after.body.chat.id).not.toBe(chatId);
  });
});

describe("opting out", () => {
  test("a keyword marks the chat and refuses sends on it with 2024", async () => {
    const from = newHandle();
    const { chatId } = await receive(inbound(from, " STOP\n"));
    expect(await healthOf(chatId)).toBe("OPTED_OUT");
    await expect(acceptTestMessage(account, chatId)).rejects.toMatchObject({ errorName: "opted_out" });
  });

  test("anything else clears it at once, in every chat that was marked", async () => {
    const from = newHandle();
    const { chatId } = await receive(inbound(from, "STOP"));
    await receive(inbound(from, "hello from the group", { groupRef: "g-5", others: [newHandle()] }));
    expect(await healthOf(chatId)).toBe("HEALTHY");
    await acceptTestMessage(account, chatId);
  });

  test("a keyword in a group does nothing, not even to a recipient who is opted out", async () => {
    const from = newHandle();
    const group = { groupRef: "g-6", others: [newHandle()] };
    const { chatId } = await receive(inbound(from, "STOP", group));
    expect(await healthOf(chatId)).toBe("HEALTHY");
    await acceptTestMessage(account, (await receive(inbound(from, "hi"))).chatId);

    const direct = await receive(inbound(from, "STOP"));
    await receive(inbound(from, "STOP", group));
    expect(await healthOf(direct.chatId)).toBe("OPTED_OUT");
    await expect(acceptTestMessage(account, direct.chatId)).rejects.toMatchObject({ errorName: "opted_out" });
  });

  test("a keyword among several parts is no keyword", async () => {
    const parts = [
      { type: "text", value: "STOP" },
      { type: "text", value: "STOP" },
    ] as const;
    const { chatId } = await receive(inbound(newHandle(), "", { parts }));
    expect(await healthOf(chatId)).toBe("HEALTHY");
  });

  test("the event of the keyword's message already shows the chat opted out", async () => {
    const { messageId } = await receive(inbound(newHandle(), "QUIT"));
    const [event] = await eventsOfMessage(account, messageId);
    expect(event?.data.chat.health_status).toBe("OPTED_OUT");
  });

  test("the keyword, the message and the time of the opt-out are kept", async () => {
    const from = newHandle();
    const { messageId } = await receive(inbound(from, "Opt-Out"));
    const [contact] = await sql.runText<object>({
      text: "select opt_out_keyword, opt_out_message_id from contacts where account_id = $1 and handle = $2",
      values: [account.ref.id, from],
    });
    expect(contact).toEqual({ opt_out_keyword: "Opt-Out", opt_out_message_id: messageId });
  });
});
