import "@/lib/testing/use-test-database";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { getChat } from "@/lib/messaging/chats/get-chat";
import { settleHealth } from "@/lib/messaging/health/settle-health";
import { sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import {
  type CountedHealth,
  chatHealth,
  chatHealthSql,
  healthDueSql,
  withSendsSql,
} from "@/lib/recipients/health/chat-health";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  changeTestPhone,
  createDirectChat,
  createTestPhone,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1);

describe("the rule", () => {
  // The steps in a chat, each a number of minutes after the previous one.
  const story = fc.array(
    fc.record({
      minutes: fc.integer({ min: 0, max: 10 * 60 }),
      what: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constant("reply" as const)),
    }),
    { maxLength: 30 },
  );

  test("counts the sends of 24 h since the last reply, whatever the database has forgotten", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        let at = START;
        let all: Date[] = [];
        let kept: Date[] = [];
        for (const { minutes, what } of steps) {
          at += minutes * 60_000;
          if (what === "reply") {
            all = [];
            kept = [];
            continue;
          }
          all = [...all, ...Array.from({ length: what }, () => new Date(at))];
          const row = await readRule(kept, what, new Date(at));
          kept = row.kept;
          expect(kept.length).toBeLessThanOrEqual(8);
          expect(row.status).toBe(chatHealth(all, new Date(at)));
        }
      }),
      { numRuns: 30 },
    );
  });

  test("improves just when it is due, and not before", async () => {
    const times = fc.array(fc.integer({ min: 0, max: 30 * 60 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(times, async (minutes) => {
        const sent = minutes.toSorted((a, b) => a - b).map((minute) => new Date(START + minute * 60_000));
        const at = new Date(START + 30 * HOUR_MS);
        const { status, due } = await readRule(sent, 0, at);
        expect(due === null).toBe(status === "HEALTHY");
        if (due === null) return;
        expect(chatHealth(sent, new Date(due.getTime() - 1))).toBe(status);
        expect(chatHealth(sent, due)).not.toBe(status);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    [0, "HEALTHY"],
    [-1, "AT_RISK"],
  ])(
    "sends of exactly 24 hours ago, %i ms, count the same in JavaScript and in SQL: %s",
    async (ms, status) => {
      const at = new Date(START + 24 * HOUR_MS);
      const sent = Array.from({ length: 4 }, () => new Date(START - ms));
      expect(chatHealth(sent, at)).toBe(status);
      expect((await readRule(sent, 0, at)).status).toBe(status);
    },
  );

  test.each([
    [3, "HEALTHY"],
    [4, "AT_RISK"],
    [7, "AT_RISK"],
    [8, "CRITICAL"],
  ])("%i sends without an answer: %s", (count, status) => {
    expect(
      chatHealth(
        Array.from({ length: count }, () => new Date(START)),
        new Date(START),
      ),
    ).toBe(status);
  });
});

describe("a chat", () => {
  let account: TestAccount;
  let phone: string;
  let chatId: string;
  let worker: Worker;

  beforeEach(async () => {
    account = await createTestAccount({ type: "sandbox" });
    phone = await createTestPhone(account);
    chatId = await createDirectChat(account, phone);
    worker = await startWorker();
  });

  afterEach(async () => {
    await worker.stop();
    setClock(null);
  });

  test("falls as sends stay without an answer, recovers with a reply, each with its time", async () => {
    await sendDelivered(3);
    expect(await statusOf()).toBe("HEALTHY");
    const before = await health();
    await sendDelivered(1);
    expect(await statusOf()).toBe("AT_RISK");
    expect(Date.parse((await health()).updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
    await sendDelivered(4);
    expect(await health()).toMatchObject({
      status: "CRITICAL",
      doc_url: expect.stringMatching(/\/guides\/chats\/chat-health#critical$/),
    });

    await writeAs(account, phone, { to: account.line, text: "yes?" });
    expect(await statusOf()).toBe("HEALTHY");
  });

  test("does not count failed messages", async () => {
    await changeTestPhone(account, phone, { fault: "rejected" });
    const ids = await Promise.all(Array.from({ length: 5 }, () => acceptTestMessage(account, chatId)));
    for (const id of ids) await untilStatus(account, id, "failed");
    expect(await statusOf()).toBe("HEALTHY");
  });

  test("recovers by time alone once its sends are a day old", async () => {
    await sendDelivered(8);
    setClock({ offsetMs: 25 * HOUR_MS, frozenAt: null });
    await settleHealth(new AbortController().signal);
    expect(await statusOf()).toBe("HEALTHY");
  });

  test("stays OPTED_OUT whatever is sent, and returns with the next message", async () => {
    await sendDelivered(4);
    await writeAs(account, phone, { to: account.line, text: "STOP" });
    expect(await statusOf()).toBe("OPTED_OUT");
    await writeAs(account, phone, { to: account.line, text: "I am back" });
    expect(await statusOf()).toBe("HEALTHY");
  });

  async function sendDelivered(count: number): Promise<void> {
    const ids = await Promise.all(Array.from({ length: count }, () => acceptTestMessage(account, chatId)));
    for (const id of ids) await untilStatus(account, id, "delivered");
  }

  async function health() {
    const input = { params: { chatId }, query: undefined, body: undefined };
    return (await getChat(account.context(), input)).health_status;
  }

  async function statusOf() {
    return (await health()).status;
  }
});

async function readRule(unanswered: readonly Date[], sends: number, at: Date) {
  const [row] = await sql.runText<{ kept: Date[]; status: CountedHealth; due: Date | null }>({
    text: `select kept, ${chatHealthSql("kept", "$3")}::text as status, ${healthDueSql("kept", "$3")} as due
           from (select ${withSendsSql("$1::timestamptz[]", "$2::int", "$3")} as kept) k`,
    values: [unanswered, sends, at],
  });
  if (row === undefined) throw new Error("no row");
  return row;
}
