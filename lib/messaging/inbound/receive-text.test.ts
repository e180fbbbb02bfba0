import "@/lib/testing/use-test-database";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { receiveMessage } from "@/lib/messaging/inbound/receive-message";
import type { Received } from "@/lib/messaging/inbound/receive-text";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { recordStatements } from "@/lib/testing/database/record-statements";
import { lineOf } from "@/lib/testing/line-of";

// Six digits from a customer who has a passkey code are stored step by step. Both ways must store the same.
const CODE = "123456";

let account: TestAccount;
let line: LineRef;
let counter = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  line = await lineOf(account);
});

let from: string;
beforeEach(async () => {
  from = `+1778${1_000_000 + ++counter}`;
  await receive("first");
  await sql.runText({
    text: `insert into passkey_enrollments (account_id, handle, verification_id, code_hash, code_expires_at, codes_since)
           values ($1, $2, gen_random_uuid(), '\\x00', '2100-01-01', now())`,
    values: [account.ref.id, from],
  });
});

async function receive(text: string, more: Partial<InboundMessage> = {}): Promise<Received> {
  const received = await receiveMessage(line, {
    type: "message",
    ref: `text-${++counter}`,
    groupRef: null,
    from,
    others: [],
    service: "iMessage",
    at: new Date("2030-01-01T00:00:00.123Z"),
    parts: [{ type: "text", value: text }],
    ...more,
  });
  if (received === null) throw new Error("the message was dropped");
  return received;
}

async function namesOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await recordStatements(work)).flatMap(({ name }) => name ?? []);
}

async function storedOf({ chatId, messageId }: Received) {
  const [message] = await sql.runText<Record<string, unknown>>({
    text: "select * from messages where account_id = $1 and id = $2",
    values: [account.ref.id, messageId],
  });
  const [chat] = await sql.runText<Record<string, unknown>>({
    text: "select * from chats where account_id = $1 and id = $2",
    values: [account.ref.id, chatId],
  });
  const events = await sql.runText<Record<string, unknown>>({
    text: "select type, internal, line_id, chat_id, data from events where account_id = $1 and message_id = $2",
    values: [account.ref.id, messageId],
  });
  const refs = await sql.runText<Record<string, unknown>>({
    text: "select line_id from transport_refs where account_id = $1 and message_id = $2",
    values: [account.ref.id, messageId],
  });
  return { message, chat, events, refs };
}

/** The stored rows without what differs between two messages: ids, numbers, text and times of acceptance. */
function comparable(stored: Awaited<ReturnType<typeof storedOf>>) {
  const { id, trace_id, position, created_at, updated_at, ...message } = stored.message ?? {};
  const { last_activity_at, updated_at: moved, ...chat } = stored.chat ?? {};
  const text = JSON.stringify({ message, chat, events: stored.events, refs: stored.refs });
  const times = [created_at, updated_at].map((at) => (at as Date).toISOString());
  return JSON.parse(
    times
      .reduce((all, at) => all.replaceAll(at, "now"), text.replaceAll(String(id), "id"))
      .replaceAll(CODE, "hello!"),
  );
}

describe("a text in a known chat", () => {
  test("is stored by one statement, and one that could be a code step by step", async () => {
    expect(await namesOf(() => receive("hello"))).toEqual(["receive-texts"]);
    expect(await namesOf(() => receive(CODE))).toContain("insert-inbound");
  });

  test.each<[string, Partial<InboundMessage>]>([
    ["as it is", {}],
    ["with an effect", { effect: { type: "screen", name: "confetti" } }],
    ["that was missed", { isLive: false }],
    ["that replies to a message unknown here", { replyTo: { ref: "unknown", part: 0 } }],
  ])("is stored as step by step %s", async (_, more) => {
    const fast = comparable(await storedOf(await receive("hello!", more)));
    const slow = comparable(await storedOf(await receive(CODE, more)));
    expect(fast).toEqual(slow);
    expect(fast.events).toHaveLength(1);
  });

  test("replies to a message, and continues its thread", async () => {
    const ref = `text-${counter}`;
    const fast = comparable(await storedOf(await receive("hello!", { replyTo: { ref, part: 0 } })));
    const slow = comparable(await storedOf(await receive(CODE, { replyTo: { ref, part: 0 } })));
    expect(fast.message.reply_to).toMatchObject({ part_index: 0 });
    expect(fast.message.thread_id).not.toBeNull();
    expect(fast).toEqual(slow);
  });

  test("reported twice at once, once each way, is one message", async () => {
    for (let round = 0; round < 20; round++) {
      const ref = `twice-${++counter}`;
      const received = await Promise.all([
        receive("hello", { ref }),
        receive("hello", { ref }),
        receive(CODE, { ref }),
      ]);
      expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(1);
    }
  });

  test("over another service moves the chat, also when both come at once", async () => {
    await Promise.all([receive("hello"), receive("hello", { service: "SMS" }), receive("hello")]);
    const rows = await sql.runText<{ service: string; parties: string[] }>({
      text: `select c.service, array(select distinct p.service::text from participants p
               where p.account_id = c.account_id and p.chat_id = c.id) as parties
             from chats c where c.account_id = $1 and c.recipient_handle = $2`,
      values: [account.ref.id, from],
    });
    expect(rows).toEqual([{ service: rows[0]?.service, parties: [rows[0]?.service] }]);
  });
});

test("a burst with STOP in it ends opted out exactly when STOP was stored last", async () => {
  for (let round = 0; round < 10; round++) {
    const texts = ["a", "b", "c", "STOP", "d", "e"].sort(() => Math.random() - 0.5);
    await Promise.all(texts.map((text) => receive(text)));
    const [state] = await sql.runText<{ last: string; opted_out: boolean; health: string }>({
      text: `select k.opted_out_at is not null as opted_out, c.health_status as health, (
               select m.parts -> 0 ->> 'value' from messages m where m.account_id = c.account_id and m.chat_id = c.id
               order by m.position desc limit 1) as last
             from chats c join contacts k on k.account_id = c.account_id and k.handle = c.recipient_handle
             where c.account_id = $1 and c.recipient_handle = $2`,
      values: [account.ref.id, from],
    });
    const isLast = state?.last === "STOP";
    expect(state).toMatchObject({ opted_out: isLast, health: isLast ? "OPTED_OUT" : "HEALTHY" });
  }
});

test("texts of many people at once are stored in few statements, each once", async () => {
  const people = Array.from({ length: 60 }, (_, index) => `+1779${1_000_000 + index}`);
  for (const person of people) await receive("first", { from: person });
  const names = await namesOf(() =>
    Promise.all(
      people.flatMap((person) => [receive("one", { from: person }), receive("two", { from: person })]),
    ),
  );
  expect(new Set(names)).toEqual(new Set(["receive-texts"]));
  expect(names.length).toBeLessThan(20);
  const [row] = await sql.runText<{ count: number }>({
    text: `select count(*)::int as count from messages m join chats c on c.account_id = m.account_id and c.id = m.chat_id
           where c.account_id = $1 and c.recipient_handle = any($2)`,
    values: [account.ref.id, people],
  });
  expect(row?.count).toBe(3 * people.length);
});
