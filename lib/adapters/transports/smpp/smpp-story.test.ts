import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readClosedSets, storePart } from "@/lib/adapters/transports/smpp/part-sets";
import { storeClosedSet, storeDueSets } from "@/lib/adapters/transports/smpp/store-closed-sets";
import { startLineSessions } from "@/lib/lines/connections/keep-sessions";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { lineOf } from "@/lib/testing/line-of";
import { until } from "@/lib/testing/until";
import { startSmsc } from "@/lib/testing/vendors/smsc";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1";

const PERSON = "+15550107100";
const DEAD = "+15550107101";

let account: TestAccount;
let smsc: Awaited<ReturnType<typeof startSmsc>>;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  smsc = await startSmsc({ receiptIds: "decimal" });
  account = await createTestAccount({ type: "production" });
  const [line] = await sql.runText<{ id: string }>({
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
  const [row] = await sql.runText<{ code: number | null }>({
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

let senders = 0;
let sender = "";
const nextSender = () => {
  sender = `1555011${2000 + ++senders}`;
};

/** The texts that a sender's chats received, in order. */
async function received(handle = `+${sender}`): Promise<string[]> {
  const rows = await sql.runText<{ text: string }>({
    text: `select part ->> 'value' as text from participants p
           join messages m on m.account_id = p.account_id and m.chat_id = p.chat_id,
             jsonb_array_elements(m.parts::jsonb) part
           where p.account_id = $1 and p.handle = $2 and not m.is_from_me order by m.position`,
    values: [account.ref.id, handle],
  });
  return rows.map(({ text }) => text);
}

/** Delivers a message from a phone and waits until the SMS center has its response. */
async function deliverOne(fields: Record<string, unknown>): Promise<void> {
  // A receipt of an earlier message is not taken for this one's response.
  await until(() => smsc.undelivered === 0);
  const before = smsc.statuses.length;
  smsc.write({ source_addr: sender, destination_addr: account.line.slice(1), ...fields });
  await until(() => smsc.statuses.length > before);
  expect(smsc.statuses.slice(before)).toEqual([0]);
}

async function sendTo(handle: string) {
  const { status, body } = await callApi("POST /v3/chats", {
    token: account.token,
    body: { from: account.line, to: [handle], message: { parts: [{ type: "text", value: "hi" }] } },
  });
  return [status, body.error?.code];
}

test.each([
  ["UCS-2", 8, "004800690000", "Hi"],
  ["Latin-1", 3, "486900", "Hi"],
  ["the middle of a text in Latin-1", 3, "480069", "Hi"],
  ["half of a pair of surrogates", 8, "0048d83d0069", "H\ufffdi"],
])("a text with U+0000 or %s is stored without it", async (_, data_coding, hex, text) => {
  nextSender();
  await deliverOne({ data_coding, short_message: Buffer.from(hex, "hex") });
  expect(await received()).toEqual([text]);
});

test("STOP with U+0000 at its end opts out", async () => {
  nextSender();
  await deliverOne({ data_coding: 3, short_message: Buffer.from("STOP\0") });
  expect(await sendTo(`+${sender}`)).toEqual([403, 2024]);
});

test.each([
  [3, "68849"],
  [0, "68849"],
  [5, "MyBank"],
])(
  "a message from a sender of type %i, %s, is stored and can't be answered",
  async (source_addr_ton, name) => {
    const before = (await received(name)).length;
    await deliverOne({ source_addr: name, source_addr_ton, short_message: "Your code is 4711" });
    expect((await received(name)).slice(before)).toEqual(["Your code is 4711"]);
    expect(await sendTo(name)).toEqual([400, 1002]);
  },
);

describe("a long text", () => {
  /** Delivers parts of a text of two or three parts and waits until all are acknowledged. */
  async function deliver(
    parts: readonly [number, string][],
    { total = 2, reference = 77, dataCoding = 0 } = {},
  ) {
    const before = smsc.statuses.length;
    for (const [number, hex] of parts) {
      smsc.write({
        source_addr: sender,
        destination_addr: account.line.slice(1),
        esm_class: 0x40,
        data_coding: dataCoding,
        short_message: Buffer.concat([
          Buffer.from([5, 0, 3, reference, total, number]),
          Buffer.from(hex, "hex"),
        ]),
      });
    }
    await until(() => smsc.statuses.length === before + parts.length);
    expect(smsc.statuses.slice(before)).toEqual(parts.map(() => 0));
  }

  const hexOf = (text: string) => Buffer.from(text, "latin1").toString("hex");
  const [HELLO, WORLD] = [hexOf("hello "), hexOf("world")];

  /** Shows what is late, as the worker does every few seconds. */
  /** All sets grow older, so that they stay in order, also those that were closed in the same millisecond. */
  async function afterTwoMinutes(): Promise<void> {
    await sql.runText({
      text: `update sms_part_sets set last_part_at = last_part_at - interval '3 minutes',
               closed_at = closed_at - interval '3 minutes' where account_id = $1`,
      values: [account.ref.id],
    });
    await storeDueSets(waitingSink);
  }

  test.each<[string, readonly [number, string][]]>([
    [
      "in order",
      [
        [1, HELLO],
        [2, WORLD],
      ],
    ],
    [
      "out of order",
      [
        [2, WORLD],
        [1, HELLO],
      ],
    ],
    [
      "with the first part twice",
      [
        [1, HELLO],
        [1, HELLO],
        [2, WORLD],
      ],
    ],
    [
      "with the last part twice",
      [
        [1, HELLO],
        [2, WORLD],
        [2, WORLD],
      ],
    ],
    [
      "twice",
      [
        [1, HELLO],
        [2, WORLD],
        [1, HELLO],
        [2, WORLD],
      ],
    ],
    [
      "with a part that comes once more after the others",
      [
        [1, HELLO],
        [2, WORLD],
        [1, HELLO],
      ],
    ],
  ])("that arrives %s is one message", async (_, parts) => {
    nextSender();
    await deliver(parts);
    await afterTwoMinutes();
    expect(await received()).toEqual(["hello world"]);
  });

  test.each<[string, readonly [number, string][], number, string]>([
    [
      "an escape",
      [
        [1, "31301b"],
        [2, "6521"],
      ],
      0,
      "10€!",
    ],
    [
      "a pair of surrogates",
      [
        [1, "0048d83d"],
        [2, "de00"],
      ],
      8,
      "H😀",
    ],
    [
      "a character in UTF-16",
      [
        [2, "3d"],
        [1, "004800"],
      ],
      8,
      "H=",
    ],
  ])("whose parts end within %s is decoded as a whole", async (_, parts, dataCoding, text) => {
    nextSender();
    await deliver(parts, { dataCoding });
    expect(await received()).toEqual([text]);
  });

  test("survives the end of the process between its parts", async () => {
    nextSender();
    await deliver([[1, HELLO]]);
    await running[0]?.stop();
    running[0] = startLineSessions(waitingSink);
    await until(() => smsc.bound === 1);
    await deliver([[2, WORLD]]);
    expect(await received()).toEqual(["hello world"]);
  });

  test("that lacks a part is shown with a mark after two minutes, and not before", async () => {
    nextSender();
    await deliver(
      [
        [1, HELLO],
        [3, WORLD],
      ],
      { total: 3 },
    );
    await storeDueSets(waitingSink);
    expect(await received()).toEqual([]);
    await afterTwoMinutes();
    expect(await received()).toEqual(["hello […]world"]);
    await deliver([[1, HELLO]], { total: 3 });
    await afterTwoMinutes();
    expect(await received()).toEqual(["hello […]world"]);
  });

  test("whose storing failed is stored later, once", async () => {
    nextSender();
    await deliver([[1, HELLO]]);
    await sql.runText({
      text: "update sms_part_sets set last_part_at = last_part_at - interval '3 minutes' where account_id = $1 and stored_at is null",
      values: [account.ref.id],
    });
    await storeDueSets({ receive: () => Promise.reject(new Error("the database is away")) });
    expect(await received()).toEqual([]);
    await storeDueSets(waitingSink);
    await storeDueSets(waitingSink);
    expect(await received()).toEqual(["hello […]"]);
  });

  test.each(["both are found at once", "the repeat is stored first"])(
    "that comes again before it is stored is one message when %s",
    async (order) => {
      nextSender();
      const line = await lineOf(account);
      const store = async () => {
        const part = { reference: "8:77", total: 2 };
        const about = { line, from: `+${sender}`, encoding: { type: "latin1" } as const };
        await storePart({ ...about, part: { ...part, number: 1 }, octets: Buffer.from("hello ") });
        return storePart({ ...about, part: { ...part, number: 2 }, octets: Buffer.from("world") });
      };
      await store();
      const repeat = await store();
      if (order === "the repeat is stored first") {
        for (const set of await readClosedSets(account.ref.id, repeat))
          await storeClosedSet(waitingSink, set);
      }
      await afterTwoMinutes();
      expect(await received()).toEqual(["hello world"]);
    },
  );

  test("with the reference of an earlier one is another message, also if it begins like that one", async () => {
    nextSender();
    await deliver([
      [1, HELLO],
      [2, WORLD],
    ]);
    await deliver([
      [1, HELLO],
      [2, hexOf("again")],
    ]);
    await deliver([
      [1, hexOf("other ")],
      [2, WORLD],
    ]);
    expect(await received()).toEqual(["hello world", "hello again", "other world"]);
  });

  test("ends an incomplete one with its reference", async () => {
    nextSender();
    await deliver([[1, HELLO]]);
    await deliver([
      [1, hexOf("other ")],
      [2, WORLD],
    ]);
    expect(await received()).toEqual(["hello […]", "other world"]);
  });

  test("that says STOP opts out", async () => {
    nextSender();
    await deliver([
      [1, hexOf("ST")],
      [2, hexOf("OP")],
    ]);
    expect(await sendTo(`+${sender}`)).toEqual([403, 2024]);
  });
});

test.each([
  ["first", ["UNDELIV", "DELIVRD"]],
  ["second", ["DELIVRD", "UNDELIV"]],
])("a long text whose part failed is failed, although that receipt comes %s", async (_, states) => {
  nextSender();
  const person = `+${sender}`;
  smsc.behave(person, "silent");
  const value = "0123456789".repeat(20);
  const { messageId } = await account.sendFirst(person, { parts: [{ type: "text", value }] });
  await until(async () => (await statusOf(messageId)) === "sent");
  const ids = smsc.idsOf(person);
  expect(ids).toHaveLength(2);
  // The receipt of the first part says that it failed.
  const receiptOf = { UNDELIV: ids[0], DELIVRD: ids[1] };
  for (const state of states) {
    await deliverOne({
      esm_class: 0x04,
      short_message: `id:${receiptOf[state as "UNDELIV"]} sub:001 dlvrd:000 stat:${state} err:001 text:`,
    });
  }
  expect(await statusOf(messageId)).toBe("failed");
  expect(await failureOf(messageId)).toBe(4001);
});

test("the first final receipt of a message counts", async () => {
  for (const [first, second, status] of [
    ["DELIVRD", "UNDELIV", "sent"],
    ["UNDELIV", "DELIVRD", "failed"],
  ]) {
    nextSender();
    const person = `+${sender}`;
    smsc.behave(person, "silent");
    const { messageId } = await account.sendFirst(person, { parts: [{ type: "text", value: "hello" }] });
    await until(async () => (await statusOf(messageId)) === "sent");
    const [id] = smsc.idsOf(person);
    for (const state of [first, second]) {
      await deliverOne({ esm_class: 0x04, short_message: `id:${id} sub:001 stat:${state} err:001 text:` });
    }
    expect(await statusOf(messageId)).toBe(status);
  }
});

test("an ID that the SMS center uses again is that of the newest message", async () => {
  nextSender();
  const first = `+${sender}`;
  nextSender();
  const second = `+${sender}`;
  const sent = async (to: string) => {
    const { messageId } = await account.sendFirst(to, { parts: [{ type: "text", value: "hello" }] });
    await until(async () => (await statusOf(messageId)) !== "pending");
    return messageId;
  };
  const delivered = await sent(first);
  await until(() => smsc.undelivered === 0);
  for (const id of smsc.idsOf(first)) smsc.repeatId(id);
  smsc.behave(second, "silent");
  const failed = await sent(second);
  // The receipt comes after the answer to the send: before, the ID would be that of the earlier message.
  await until(async () => (await statusOf(failed)) === "sent");
  const [id] = smsc.idsOf(second);
  await deliverOne({ esm_class: 0x04, short_message: `id:${id} sub:001 stat:UNDELIV err:001 text:` });
  await until(async () => (await statusOf(failed)) === "failed");
  expect(await statusOf(delivered)).toBe("sent");
});

test("a receipt with an ID in another notation finds its message after the process ended", async () => {
  const person = "+15550107150";
  smsc.behave(person, "silent");
  const { messageId } = await account.sendFirst(person, { parts: [{ type: "text", value: "hello" }] });
  await until(async () => (await statusOf(messageId)) === "sent");
  await running[0]?.stop();
  running[0] = startLineSessions(waitingSink);
  await until(() => smsc.bound === 1);
  smsc.behave(person, "undeliverable");
  smsc.reportAgain(person);
  await until(async () => (await statusOf(messageId)) === "failed");
});

test("while the SMS center is down, messages wait, and then all go out once and in order", async () => {
  const { chatId } = await account.sendFirst(PERSON, { parts: [{ type: "text", value: "before" }] });
  await until(() => smsc.messages().some(({ text }) => text === "before"));
  const { port } = smsc;
  await smsc.close();
  const isUp = async () => {
    const [row] = await sql.runText<{ is_up: boolean }>({
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
