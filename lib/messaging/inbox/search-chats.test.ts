import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { ListChatHealth, listChatHealth } from "@/lib/messaging/health/list-chat-health";
import { listChatViews } from "@/lib/messaging/inbox/list-chat-views";
import { searchChats } from "@/lib/messaging/inbox/search-chats";
import { prisma, sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { createTestGroup } from "@/lib/testing/test-chats";

const CHATS = 20_000;

let account: TestAccount;
let big: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  big = await createTestAccount({ type: "sandbox" });
  await fill(big, CHATS);
});

/** Creates direct chats with +1206 and seven digits, numbered in order, newest last. */
async function fill({ ref }: TestAccount, count: number): Promise<void> {
  const { id: lineId } = await prisma().line.findFirstOrThrow({ where: { accountId: ref.id } });
  await sql.runText({
    text: `with made as (
             insert into chats (account_id, id, line_id, line_type, is_group, recipient_handle, participants_key,
               health_updated_at, last_activity_at, created_at, updated_at)
             select $1, gen_random_uuid(), $2, 'iMessage', false, handle, handle, at, at, at, at
             from (select '+1206' || lpad(n::text, 7, '0') as handle, now() + n * interval '1 second' as at
                   from generate_series(1, $3::int) n) numbered
             returning account_id, id, recipient_handle, created_at
           )
           insert into participants (account_id, id, chat_id, handle, is_me, service, joined_at)
           select account_id, gen_random_uuid(), id, recipient_handle, false, 'iMessage', created_at from made`,
    values: [ref.id, lineId, count],
  });
}

function find(text: string, limit = 30, of = account): Promise<string[]> {
  return searchChats({ ctx: of.context(), text, query: {}, cursor: null, limit });
}

async function handlesOf(ids: readonly string[]): Promise<(string | null)[]> {
  const rows = await prisma().chat.findMany({ where: { id: { in: [...ids] } } });
  return ids.map((id) => rows.find((row) => row.id === id)?.recipientHandle ?? null);
}

test("a search finds a few of many chats by the index and reads nothing else", async () => {
  expect(await handlesOf(await find("0012345", 30, big))).toEqual(["+12060012345"]);

  const scans = await explainStatements(() => find("0012345", 30, big));

  expect(scans.map(({ on }) => on)).toContain("participants_search_idx");
  expect(scans.map(({ node }) => node)).not.toContain("Seq Scan");
  expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(50);
});

test("the board of chat health finds few matches by the same index, and many in the order of its list", async () => {
  const board = async (search: string, cursor?: string) => {
    const query = ListChatHealth.query.parse({
      status: "HEALTHY",
      search,
      limit: "3",
      ...(cursor && { cursor }),
    });
    return listChatHealth(big.context(), { query });
  };
  const found = await board("0012345");
  expect(found.chats.map(({ recipient }) => recipient)).toEqual(["+12060012345"]);
  expect(found.total).toEqual({ count: 1, is_capped: false });
  const few = await explainStatements(() => board("0012345"));
  expect(few.map(({ on }) => on)).toContain("participants_search_idx");
  expect(few.map(({ node }) => node)).not.toContain("Seq Scan");

  const first = await board("206");
  expect(first.chats.map(({ recipient }) => recipient)).toEqual([
    "+12060020000",
    "+12060019999",
    "+12060019998",
  ]);
  expect(first.total).toEqual({ count: 1000, is_capped: true });
  const second = await board("206", first.next_cursor ?? "");
  expect(second.chats.map(({ recipient }) => recipient)[0]).toBe("+12060019997");
});

test("a search that most chats match pages through them in their order, without sorting them all", async () => {
  const first = await find("206", 3, big);
  expect(await handlesOf(first)).toEqual(["+12060020000", "+12060019999", "+12060019998"]);

  const scans = await explainStatements(() => find("206", 3, big));
  const chats = scans.filter(({ on }) => on === "chats");
  expect(chats.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(20);

  const { conversations, next_cursor } = await listChatViews(big.context(), {
    query: { search: "206", limit: 3 },
  });
  expect(conversations.map(({ chat }) => chat.id)).toEqual(first);
  const next = await listChatViews(big.context(), {
    query: { search: "206", limit: 2, cursor: next_cursor ?? "" },
  });
  expect(await handlesOf(next.conversations.map(({ chat }) => chat.id))).toEqual([
    "+12060019997",
    "+12060019996",
  ]);
});

test("groups are found by words of their name, in any case, and by one or two letters at a beginning", async () => {
  const { chatId } = await createTestGroup(account, 3);
  await prisma().chat.updateMany({ where: { id: chatId }, data: { displayName: "élan: Friday Dinner 42%" } });

  for (const text of ["friday", "DINNER", "ay din", "élan", "42%", "42", "f", "di", "é"]) {
    expect([text, await find(text)]).toEqual([text, text === "f" ? [] : [chatId]]);
  }
  for (const text of ["saturday", "riday  d", "_", "in"])
    expect([text, await find(text)]).toEqual([text, []]);
  expect(await find("friday", 30, big)).toEqual([]);
});

test("property: any part of a handle finds its chat, and other text finds none", async () => {
  const own = await createTestAccount({ type: "production" });
  const handles = ["+14155550101", "+442079460123", "ada.lovelace@example.com", "b@x.org"];
  const chats = new Map<string, string>();
  for (const handle of handles) chats.set(handle, (await own.sendFirst(handle)).chatId);
  const parts = fc
    .record({ handle: fc.constantFrom(...handles), from: fc.nat(20), size: fc.integer({ min: 3, max: 12 }) })
    .map(({ handle, from, size }) => {
      const text = handle.replace("+", "");
      return text.slice(Math.min(from, text.length - 3)).slice(0, size);
    });

  await fc.assert(
    fc.asyncProperty(parts, async (part) => {
      const expected = handles.filter((handle) => handle.includes(part)).map((handle) => chats.get(handle));
      expect((await find(part, 30, own)).toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 60 },
  );
  expect(await find("14", 30, own)).toEqual([chats.get("+14155550101")]);
  expect(await find("a", 30, own)).toEqual([chats.get("ada.lovelace@example.com")]);
});
