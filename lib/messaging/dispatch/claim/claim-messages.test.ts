import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Claimer } from "@/lib/messaging/dispatch/claim/claim-messages";
import type { ClaimedMessage } from "@/lib/messaging/dispatch/claim/claim-statement";
import { sql, transaction } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
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
  await stopFailing();
  await sql.runText({
    text: "update messages set dispatch_at = null where account_id = $1",
    values: [account.ref.id],
  });
});

/** Makes a claimed message wait again behind all others, as if its chat had got a new one. */
async function acceptAgain(messageId: string): Promise<void> {
  await sql.runText({
    text: `update messages set dispatch_lease_until = null, dispatch_attempts = 0, dispatch_at = clock_timestamp()
           where id = $1`,
    values: [messageId],
  });
}

/** Makes PostgreSQL reject each claim of the chats after the first `count`, in the order in which claims visit them. */
async function failClaimsAfter(count: number): Promise<void> {
  const [chat] = await sql.runText<{ id: string }>({
    text: `select distinct chat_id as id from messages where account_id = $1 and dispatch_at is not null
           order by chat_id offset $2 limit 1`,
    values: [account.ref.id, count],
  });
  await sql.runText({
    text: `create function fail_claim() returns trigger language plpgsql as $$ begin raise 'rejected by the test'; end $$`,
  });
  await sql.runText({
    text: `create trigger fail_claims before update on messages for each row
           when (new.dispatch_lease_until is not null and new.chat_id >= '${chat?.id}') execute function fail_claim()`,
  });
}

function stopFailing(): Promise<unknown> {
  return sql.runText({ text: "drop function if exists fail_claim() cascade" });
}

const idsOf = (claimed: readonly { id: string }[]) => claimed.map(({ id }) => id);

test("a claim continues after the last one, and ends once it has gone around or reached its limit", async () => {
  const claimer = new Claimer(2 * CHATS);
  const first = idsOf(await claimer.claim(100));
  const rest = idsOf(await claimer.claim(2 * CHATS));
  expect(first).toHaveLength(100);
  expect([...first, ...rest].sort()).toEqual([...pending].sort());
  expect(await claimer.claim(10)).toEqual([]);
});

test("when a later scan fails, the claim returns what it has, and the next claim starts over", async () => {
  const claimer = new Claimer(2 * CHATS);
  await failClaimsAfter(128);
  const taken = await claimer.claim(2 * CHATS);
  await stopFailing();
  const first = idsOf(taken);
  expect(first).toHaveLength(128);
  expect(taken.slice(0, 1).map((message) => claimer.release(message))).toEqual(["claim"]);
  const rest = idsOf(await claimer.claim(2 * CHATS));
  expect([...first, ...rest].sort()).toEqual([...pending].sort());
});

test("a claim whose first scan fails is rejected", async () => {
  await failClaimsAfter(0);
  await expect(new Claimer(10).claim(10)).rejects.toThrow("rejected by the test");
});

test("after a claim that filled a line, the line's other messages are looked for when half of its places are free", async () => {
  const claimer = new Claimer(32);
  const claimed = await claimer.claim(100);
  expect(claimed).toHaveLength(32);
  const next = claimed.map((message) => claimer.release(message));
  expect(next).toEqual([...Array(15).fill("claim soon"), ...Array(17).fill("claim")]);
});

test("a claim that comes to the end of a line's chats goes on with the first ones, so that no place stays free", async () => {
  const shorter = CHATS / 2;
  await sql.runText({
    text: `update messages set dispatch_at = null where id = any($1::uuid[])`,
    values: [pending.slice(shorter)],
  });
  const claimer = new Claimer(32);
  const first = await claimer.claim(100);
  for (const message of first.slice(0, 16)) claimer.release(message);
  expect([first.length, (await claimer.claim(100)).length]).toEqual([32, 16]);
});

test("messages that end while a claim runs are replaced by it", async () => {
  const claimer = new Claimer(32);
  const first = await claimer.claim(16);
  const claiming = await transaction(async (tx) => {
    await tx.runText({ text: "lock table messages in share mode" });
    const claimed = claimer.claim(100);
    await untilLocked();
    for (const message of first) claimer.release(message);
    return { claimed };
  });
  expect(await claiming.claimed).toHaveLength(32);
});

test("after a claim that took everything, nothing is looked for", async () => {
  const claimer = new Claimer(2 * CHATS);
  const claimed = await claimer.claim(2 * CHATS);
  expect(claimed).toHaveLength(CHATS);
  expect(new Set(claimed.map((message) => claimer.release(message)))).toEqual(new Set(["wait"]));
});

test.each([32, 16, 1])(
  "a line with more chats than a scan sends to all of them, %i at a time, while its first chats get new messages",
  async (atOnce) => {
    const claimer = new Claimer(32);
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
  const claimer = new Claimer(32);
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
  await sql.runText({
    text: "update messages set dispatch_at = null where account_id = any($1::uuid[])",
    values: [others.map(({ ref }) => ref.id)],
  });
});
