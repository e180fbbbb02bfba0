import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClaimer } from "@/lib/messaging/dispatch/claim/claim-messages";
import type { ClaimedMessage } from "@/lib/messaging/dispatch/claim/claim-statement";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { copyChats } from "@/lib/testing/test-chats";

// A scan visits 128 chats.
const CHATS = 280;

let account: TestAccount;
let pending: string[];

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  const chat = await createDirectChat(account, await createTestPhone(account));
  pending = await copyChats(account, chat, CHATS);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await sql.query({
    text: "update messages set dispatch_at = null where account_id = $1",
    values: [account.ref.id],
  });
});

/** Makes a claimed message wait again behind all others, as if its chat had got a new one. */
async function acceptAgain(messageId: string): Promise<void> {
  await sql.query({
    text: `update messages set dispatch_lease_until = null, dispatch_attempts = 0, dispatch_at = clock_timestamp()
           where id = $1`,
    values: [messageId],
  });
}

const idsOf = (claimed: readonly { id: string }[]) => claimed.map(({ id }) => id);

test("a claim continues after the last one, and ends once it has gone around or reached its limit", async () => {
  const claimer = createClaimer(2 * CHATS);
  const first = idsOf(await claimer.claim(100));
  const rest = idsOf(await claimer.claim(2 * CHATS));
  expect(first).toHaveLength(100);
  expect([...first, ...rest].sort()).toEqual([...pending].sort());
  expect(await claimer.claim(10)).toEqual([]);
});

test("when a later scan fails, the claim returns what it has, and the next claim starts over", async () => {
  const query = sql.query.bind(sql);
  const claimer = createClaimer(2 * CHATS);
  let scans = 0;
  vi.spyOn(sql, "query").mockImplementation((statement) =>
    statement.name === "claim-messages" && ++scans === 2
      ? Promise.reject(new Error("gone"))
      : query(statement),
  );
  const taken = await claimer.claim(2 * CHATS);
  const first = idsOf(taken);
  expect(first).toHaveLength(128);
  expect(taken.slice(0, 1).map((message) => claimer.release(message))).toEqual(["claim"]);
  const rest = idsOf(await claimer.claim(2 * CHATS));
  expect([...first, ...rest].sort()).toEqual([...pending].sort());
});

test("a claim whose first scan fails is rejected", async () => {
  vi.spyOn(sql, "query").mockRejectedValueOnce(new Error("gone"));
  await expect(createClaimer(10).claim(10)).rejects.toThrow("gone");
});

test("after a claim that filled a line, the line's other messages are looked for when half of its places are free", async () => {
  const claimer = createClaimer(32);
  const claimed = await claimer.claim(100);
  expect(claimed).toHaveLength(32);
  const next = claimed.map((message) => claimer.release(message));
  expect(next).toEqual([...Array(15).fill("claim soon"), ...Array(17).fill("claim")]);
});

test("a claim that comes to the end of a line's chats goes on with the first ones, so that no place stays free", async () => {
  const shorter = CHATS / 2;
  await sql.query({
    text: `update messages set dispatch_at = null where id = any($1::uuid[])`,
    values: [pending.slice(shorter)],
  });
  const claimer = createClaimer(32);
  const first = await claimer.claim(100);
  for (const message of first.slice(0, 16)) claimer.release(message);
  expect([first.length, (await claimer.claim(100)).length]).toEqual([32, 16]);
});

test("messages that end while a claim runs are replaced by it", async () => {
  const query = sql.query.bind(sql);
  const claimer = createClaimer(32);
  const first = await claimer.claim(16);
  vi.spyOn(sql, "query").mockImplementation(async (statement) => {
    const rows = await query(statement);
    for (const message of first.splice(0)) claimer.release(message);
    return rows;
  });
  expect(await claimer.claim(100)).toHaveLength(32);
});

test("after a claim that took everything, nothing is looked for", async () => {
  const claimer = createClaimer(2 * CHATS);
  const claimed = await claimer.claim(2 * CHATS);
  expect(claimed).toHaveLength(CHATS);
  expect(new Set(claimed.map((message) => claimer.release(message)))).toEqual(new Set(["wait"]));
});

test.each([32, 16, 1])(
  "a line with more chats than a scan sends to all of them, %i at a time, while its first chats get new messages",
  async (atOnce) => {
    const claimer = createClaimer(32);
    const served = new Set<string>();
    let inProgress = await claimer.claim(100);
    for (let round = 0; round < (20 * 32) / atOnce; round++) {
      for (const message of inProgress.splice(0, atOnce)) {
        served.add(message.id);
        claimer.release(message);
        await acceptAgain(message.id);
      }
      inProgress = [...inProgress, ...(await claimer.claim(100))];
    }
    expect(served.size).toBe(CHATS);
  },
);

test("lines with more chats than a scan leave turns to the other lines, also when all places are taken", async () => {
  const others: TestAccount[] = [];
  while (others.length < 3) {
    const other = await createTestAccount({ type: "sandbox" });
    await copyChats(other, await createDirectChat(other, await createTestPhone(other)), 600);
    others.push(other);
  }
  const claimer = createClaimer(32);
  const turns = new Map(others.map(({ ref }) => [ref.id, 0]));
  const inProgress: ClaimedMessage[] = [];
  for (let round = 0; round < 12; round++) {
    inProgress.push(...(await claimer.claim(64 - inProgress.length)));
    for (const message of inProgress.splice(0, 16)) {
      turns.set(message.account_id, (turns.get(message.account_id) ?? 0) + 1);
      claimer.release(message);
      await acceptAgain(message.id);
    }
  }
  expect(Math.min(...turns.values())).toBeGreaterThan(16);
  await sql.query({
    text: "update messages set dispatch_at = null where account_id = any($1::uuid[])",
    values: [others.map(({ ref }) => ref.id)],
  });
});
