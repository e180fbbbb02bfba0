import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import * as csv from "@/app/api/chat-health/csv/route";
import * as board from "@/app/api/chat-health/route";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let viewer: DashboardUser;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  viewer = await signInAs(account, "viewer");
});

const read = (query: Record<string, string> = {}) => viewer.call(board.GET, { query });

/** A chat that got this health `minutes` ago, with this many unanswered sends. */
async function chatOf(
  status: string,
  minutes: number,
  unanswered = 0,
): Promise<{ id: string; phone: string }> {
  const phone = await createTestPhone(account);
  const id = await createDirectChat(account, phone);
  await sql.runText({
    text: `update chats set health_status = $3::text::health_status,
             unanswered = array_fill(now(), array[$5::int]),
             health_updated_at = now() - make_interval(mins => $4),
             last_activity_at = now() - make_interval(mins => $4)
           where account_id = $1 and id = $2`,
    values: [account.ref.id, id, status, minutes, unanswered],
  });
  return { id, phone };
}

const ids = (body: { chats: { chat_id: string }[] }) => body.chats.map(({ chat_id }) => chat_id);

test("the board begins with the worst health and counts all chats", async () => {
  await chatOf("HEALTHY", 1);
  const risky = await chatOf("AT_RISK", 2, 5);

  const { status, body } = await read();

  expect(status).toBe(200);
  expect(body.status).toBe("AT_RISK");
  expect(body.counts).toEqual({ CRITICAL: 0, AT_RISK: 1, OPTED_OUT: 0, HEALTHY: 1 });
  expect(body.chats).toMatchObject([
    {
      chat_id: risky.id,
      line: account.line,
      recipient: risky.phone,
      unanswered: 5,
      drivers: [{ key: "unanswered", metric: "5 in 24 hr" }],
    },
  ]);
  expect((await read({ status: "CRITICAL" })).body.chats).toEqual([]);
});

test("pages lead through every chat once, the latest change first, in as many statements as one", async () => {
  const chats = [];
  for (const minutes of [5, 4, 3, 2, 1]) chats.unshift((await chatOf("CRITICAL", minutes, 8)).id);
  const one = await countStatements(() => read({ limit: "1" }));

  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await read({ limit: "2", ...(cursor === null ? {} : { cursor }) });
    found.push(...ids(body));
    cursor = body.next_cursor;
  } while (cursor !== null);

  expect(found).toEqual(chats);
  expect(await countStatements(() => read({ limit: "4" }))).toBe(one);
});

test("the board is filtered by line and by part of a handle", async () => {
  const { id, phone } = await chatOf("HEALTHY", 1);
  await chatOf("HEALTHY", 2);

  const formatted = `(${phone.slice(2, 5)}) ${phone.slice(5)}`;
  expect(ids((await read({ search: formatted })).body)).toEqual([id]);
  const other = await read({ line_id: account.ref.id });
  expect(other.body.chats).toEqual([]);
  expect(other.body.counts.HEALTHY).toBe(0);
});

test("an opt-out and a repeated text are reported as risk factors", async () => {
  const phone = await createTestPhone(account);
  const chatId = await createDirectChat(account, phone);
  await writeAs(account, phone, { to: account.line, text: "STOP" });

  const { body } = await read();

  expect(body.status).toBe("OPTED_OUT");
  expect(body.chats).toMatchObject([{ chat_id: chatId, drivers: [{ key: "opted_out" }] }]);
});

test("the file has what the page has, and no other account's", async () => {
  await chatOf("CRITICAL", 1, 8);
  await chatOf("HEALTHY", 1);
  const theirs = await createTestAccount({ type: "sandbox" });

  const { body } = await viewer.call(csv.GET);
  const lines = String(body).trim().split("\n");

  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("unanswered: 8 in 24 hr");
  const foreign = await (await signInAs(theirs, "viewer")).call(board.GET);
  expect(foreign.body.chats).toEqual([]);
});

test("the board shows chats that changed in one moment each once, one per page", async () => {
  for (const status of ["HEALTHY", "AT_RISK"]) {
    const chats = [await chatOf(status, 1), await chatOf(status, 1), await chatOf(status, 1)];
    await sql.runText({
      text: `update chats set health_updated_at = '2026-01-01T00:00:00Z', last_activity_at = '2026-01-01T00:00:00Z'
             where account_id = $1`,
      values: [account.ref.id],
    });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null && seen.length < 9; ) {
      const { body } = await read({ status, limit: "1", ...(cursor && { cursor }) });
      seen.push(...ids(body));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(
      chats
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
  }
});
