import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { storeThroughputs } from "@/lib/lines/connections/store-throughputs";
import { readLineQueues } from "@/lib/lines/overview/line-queue";
import { Claimer } from "@/lib/messaging/dispatch/claim/claim-messages";
import type { ClaimedMessage } from "@/lib/messaging/dispatch/claim/claim-statement";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now, setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { copyChats } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

const CHATS = 12;
const START = Date.UTC(2030, 0, 1);

let account: TestAccount;
let pending: string[];
let lineId: string;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  const chat = await createDirectChat(account, await createTestPhone(account));
  pending = await copyChats(account, chat, CHATS);
  const [line] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [account.ref.id],
  });
  lineId = line?.id ?? "";
  setTime(0);
});

afterEach(async () => {
  setClock(null);
  await sql.runText({
    text: "update messages set dispatch_at = null where account_id = $1",
    values: [account.ref.id],
  });
});

/** Freezes the platform clock. */
function setTime(ms: number): void {
  setClock({ offsetMs: 0, frozenAt: new Date(START + ms) });
}

async function limitTo(perSecond: number | null): Promise<void> {
  await sql.runText({
    text: "update lines set sends_per_second = $2 where account_id = $1",
    values: [account.ref.id, perSecond],
  });
}

async function storedThroughput(): Promise<number | null> {
  const [row] = await sql.runText<{ sends_per_second: number | null }>({
    text: "select sends_per_second from lines where account_id = $1",
    values: [account.ref.id],
  });
  return row?.sends_per_second ?? null;
}

/** Makes a claimed message wait again behind all others, as if its chat had got a new one. */
async function acceptAgain(messageId: string): Promise<void> {
  await sql.runText({
    text: `update messages set dispatch_lease_until = null, dispatch_attempts = 0, dispatch_at = $3
           where id = $1 and account_id = $2`,
    values: [messageId, account.ref.id, now()],
  });
}

async function chatsOf(messageIds: string[]): Promise<string[]> {
  const rows = await sql.runText<{ chat_id: string }>({
    text: "select chat_id from messages where account_id = $1 and id = any($2::uuid[])",
    values: [account.ref.id, messageIds],
  });
  return rows.map(({ chat_id }) => chat_id);
}

async function countSent(): Promise<number> {
  const [row] = await sql.runText<{ count: number }>({
    text: "select count(*)::int as count from messages where account_id = $1 and sent_at is not null and dispatch_attempts > 0",
    values: [account.ref.id],
  });
  return row?.count ?? 0;
}

const turnsOf = (claimed: readonly ClaimedMessage[]) =>
  claimed.map(({ starts_in_ms }) => starts_in_ms).sort((left, right) => (left ?? 0) - (right ?? 0));
const idsOf = (claimed: readonly { id: string }[]) => claimed.map(({ id }) => id);

describe("a line with a throughput", () => {
  test("gives each message its turn, and no more than the throughput", async () => {
    await limitTo(10);
    const claimer = new Claimer(32);
    const taken: { id: string; at: number }[] = [];
    for (let at = 0; at <= 1200; at += 50) {
      setTime(at);
      for (const { id, starts_in_ms } of await claimer.claim(100))
        taken.push({ id, at: at + (starts_in_ms ?? 0) });
    }
    expect(taken.map((each) => each.at).sort((left, right) => left - right)).toEqual(
      Array.from({ length: CHATS }, (_, index) => index * 100),
    );
    expect(idsOf(taken).sort()).toEqual([...pending].sort());
  });

  test("counts no attempt of a message that waits for its turn, and shows it in the queue of the line", async () => {
    await limitTo(0.5);
    expect(turnsOf(await new Claimer(32).claim(100))).toEqual([0]);
    const [row] = await sql.runText<{ waiting: number; failed: number }>({
      text: `select count(*) filter (where dispatch_attempts = 0 and dispatch_at is not null)::int as waiting,
               count(*) filter (where failure_code is not null)::int as failed
             from messages where account_id = $1`,
      values: [account.ref.id],
    });
    expect(row).toEqual({ waiting: CHATS - 1, failed: 0 });
    const ctx = { account: account.ref, actor: { type: "system" as const }, traceId: "", now: new Date() };
    const queueOf = await readLineQueues(ctx);
    expect(queueOf(lineId)).toMatchObject({ waiting: CHATS, sends_per_second: 0.5 });
  });

  test("gives a turn to one of two processes only", async () => {
    await limitTo(20);
    const claimers = Array.from({ length: 6 }, () => new Claimer(32));
    const claimed = (await Promise.all(claimers.map((claimer) => claimer.claim(100)))).flat();
    const rest = (await Promise.all(claimers.map((claimer) => claimer.claim(100)))).flat();
    expect(turnsOf([...claimed, ...rest])).toEqual([0, 50, 100, 150, 200]);
  });

  test("says when its next message has its turn, and nothing when none waits", async () => {
    await limitTo(0.5);
    const claimer = new Claimer(32);
    expect(claimer.lookInMs()).toBeNull();
    await claimer.claim(100);
    expect(claimer.lookInMs()).toBe(1900);
    setTime(1000);
    expect(await claimer.claim(100)).toEqual([]);
    expect(claimer.lookInMs()).toBe(900);
    setTime(1900);
    expect(turnsOf(await claimer.claim(100))).toEqual([100]);
    await limitTo(null);
    await claimer.claim(100);
    expect(claimer.lookInMs()).toBeNull();
  });

  test("counts each part of a message, and keeps the order of a chat", async () => {
    await limitTo(2);
    await sql.runText({
      text: "update messages set parts = (parts::jsonb || parts::jsonb || parts::jsonb) where account_id = $1",
      values: [account.ref.id],
    });
    const claimer = new Claimer(32);
    expect(turnsOf(await claimer.claim(100))).toEqual([0]);
    setTime(1299);
    expect(await claimer.claim(100)).toEqual([]);
    setTime(1300);
    expect(turnsOf(await claimer.claim(100))).toEqual([200]);
  });

  test("does not wait for a time that is from before the clock was set back", async () => {
    await limitTo(1);
    await new Claimer(32).claim(100);
    setTime(-24 * 60 * 60 * 1000);
    expect(turnsOf(await new Claimer(32).claim(100))).toEqual([0]);
  });

  test("gives turns to all its chats, however many are waiting and new messages arrive", async () => {
    await limitTo(5);
    const chat = await createDirectChat(account, await createTestPhone(account));
    const many = new Set([...pending, ...(await copyChats(account, chat, 300))]);
    const claimer = new Claimer(32);
    const served = new Set<string>();
    for (let at = 0; at < 8000; at += 200) {
      setTime(at);
      for (const message of await claimer.claim(100)) {
        served.add(message.chat_id);
        claimer.release(message);
        await acceptAgain(message.id);
      }
    }
    const chats = [...new Set((await chatsOf([...many])).sort())];
    const places = [...served].map((chatId) => chats.indexOf(chatId));
    for (const from of [0, 128, 256]) {
      expect(places.filter((place) => place >= from && place < from + 128).length).toBeGreaterThan(3);
    }
  });

  test("sends a message at each turn, with its first attempt", async () => {
    await limitTo(0.5);
    const dispatch = startDispatch();
    try {
      for (let sent = 1; sent <= 3; sent++) {
        setTime((sent - 1) * 2000);
        await until(async () => (await countSent()) >= sent);
        expect(await countSent()).toBe(sent);
      }
    } finally {
      await dispatch.stop();
    }
    const rows = await sql.runText<{ dispatch_attempts: number }>({
      text: "select dispatch_attempts from messages where account_id = $1 and dispatch_attempts > 0",
      values: [account.ref.id],
    });
    expect(rows.map(({ dispatch_attempts }) => dispatch_attempts)).toEqual([1, 1, 1]);
  });

  test("does not hold up the messages of another line", async () => {
    await limitTo(0.1);
    const other = await createTestAccount({ type: "sandbox" });
    const chat = await createDirectChat(other, await createTestPhone(other));
    const others = await copyChats(other, chat, CHATS);
    const claimed = await new Claimer(32).claim(100);
    const unlimited = claimed.filter(({ account_id }) => account_id === other.ref.id);
    expect(idsOf(unlimited).sort()).toEqual([...others].sort());
    expect(new Set(turnsOf(unlimited))).toEqual(new Set([null]));
    await sql.runText({
      text: "update messages set dispatch_at = null where account_id = $1",
      values: [other.ref.id],
    });
  });
});

test("a line without a throughput gives no turns and writes nothing to the line", async () => {
  const claimed = await new Claimer(100).claim(100);
  expect(turnsOf(claimed)).toEqual(Array(CHATS).fill(null));
  const [row] = await sql.runText({
    text: "select next_send_at from lines where account_id = $1",
    values: [account.ref.id],
  });
  expect(row).toEqual({ next_send_at: null });
});

describe("the throughput of a connection", () => {
  const TWILIO = { account_sid: `AC${"0".repeat(32)}`, auth_token: "token" };

  beforeEach(() =>
    sql.runText({
      text: "update lines set transport = 'twilio' where account_id = $1",
      values: [account.ref.id],
    }),
  );

  test.each([
    [{}, 10],
    [{ throughput: "0.5" }, 0.5],
  ])("with the settings %j is stored with it", async (settings, expected) => {
    const line = { accountId: account.ref.id, id: lineId };
    await setLineConnection(line, { ...TWILIO, ...settings });
    expect(await storedThroughput()).toBe(expected);
  });

  test("that an earlier version stored is read at the start of a worker", async () => {
    const line = { accountId: account.ref.id, id: lineId };
    await setLineConnection(line, { ...TWILIO, throughput: "3" });
    await limitTo(null);
    expect(await storeThroughputs()).toBe(1);
    expect(await storedThroughput()).toBe(3);
    expect(await storeThroughputs()).toBe(0);
  });

  test("that can't be read changes nothing", async () => {
    await sql.runText({
      text: "update lines set connection = $2, connection_number = 1 where account_id = $1",
      values: [account.ref.id, Buffer.from(newId(1))],
    });
    expect(await storeThroughputs()).toBe(0);
  });
});
