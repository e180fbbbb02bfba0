import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClaimer } from "@/lib/messaging/messages/claim-messages";
import { sql } from "@/lib/platform/db";
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
  const first = idsOf(await claimer.claim(2 * CHATS));
  expect(first).toHaveLength(128);
  const rest = idsOf(await claimer.claim(2 * CHATS));
  expect([...first, ...rest].sort()).toEqual([...pending].sort());
});

test("a claim whose first scan fails is rejected", async () => {
  vi.spyOn(sql, "query").mockRejectedValueOnce(new Error("gone"));
  await expect(createClaimer(10).claim(10)).rejects.toThrow("gone");
});
