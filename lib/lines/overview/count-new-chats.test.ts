import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { countVolumes } from "@/lib/lines/overview/count-volumes";
import { readVolumes, volumeDays } from "@/lib/lines/overview/line-volume";
import { prisma, sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now, setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { acceptTestMessage, createDirectChat, createTestPhone } from "@/lib/testing/factories";

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let account: TestAccount;
let lineId: string;
let chatId: string;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  lineId = (await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } })).id;
  chatId = await createDirectChat(account, await createTestPhone(account));
});

afterEach(() => setClock(null));

/** The new chats of the last days, today last. */
async function newChats(count: number): Promise<number[]> {
  const ctx = account.context();
  const read = await readVolumes(ctx, volumeDays(ctx.now, count));
  return read(lineId).map(({ new_chats }) => new_chats);
}

test("the new chats of thirty days are read from a row a day, and those of the last minutes", async () => {
  const start = now().getTime() - 29 * DAY_MS;
  const made = Array.from({ length: 5000 }, (_, number) => start + number * 500_000);
  await sql.runText({
    text: `insert into chats (account_id, id, line_id, line_type, is_group, health_updated_at, last_activity_at, created_at, updated_at)
           select c.account_id, t.id, c.line_id, c.line_type, false, t.at, t.at, t.at, t.at
           from chats c, unnest($2::uuid[], $3::timestamptz[]) as t(id, at) where c.id = $1`,
    values: [chatId, made.map(idAt), made.map((at) => new Date(at))],
  });
  await sql.runText({ text: "analyze chats" });
  await acceptTestMessage(account, chatId);
  const before = await newChats(30);
  setClock({ offsetMs: 20 * 60_000, frozenAt: null });
  await countVolumes(never);
  setClock(null);
  expect(await newChats(30)).toEqual(before);
  expect(before.reduce((sum, count) => sum + count, 0)).toBe(5001);

  const scans = await explainStatements(() => newChats(30));
  const looked = scans.filter(({ on }) => on === "chats").map(({ rows }) => rows);
  expect(Math.max(...looked)).toBeLessThan(10);
});

test("every new chat counts once, before it is counted and after", async () => {
  await createDirectChat(account, await createTestPhone(account));
  expect(await newChats(1)).toEqual([2]);
  setClock({ offsetMs: DAY_MS, frozenAt: null });
  await countVolumes(never);
  await createDirectChat(account, await createTestPhone(account));
  expect(await newChats(2)).toEqual([2, 1]);
  setClock({ offsetMs: 2 * DAY_MS, frozenAt: null });
  await Promise.all([countVolumes(never), countVolumes(never)]);
  expect(await newChats(3)).toEqual([2, 1, 0]);
  expect(
    (await prisma().lineDay.findMany({ where: { accountId: account.ref.id }, orderBy: { day: "asc" } })).map(
      ({ newChats }) => newChats,
    ),
  ).toEqual([2, 1]);
});

function idAt(at: number, made: number): string {
  const id = newId(0);
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${id.slice(15, 24)}${made.toString(16).padStart(12, "0")}`;
}
