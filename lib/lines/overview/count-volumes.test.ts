import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, expect, test } from "vitest";
import { countFailures } from "@/lib/lines/overview/count-failures";
import { countVolumes } from "@/lib/lines/overview/count-volumes";
import { readVolumes, volumeDays } from "@/lib/lines/overview/line-volume";
import { prisma, sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now, setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { acceptTestMessage, createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let account: TestAccount;
let lineId: string;
let phone: string;
let chatId: string;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  lineId = (await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } })).id;
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

afterEach(() => setClock(null));

/** Sent and received messages of the last days, today last. */
async function volumes(count = 3) {
  const ctx = account.context();
  const read = await readVolumes(ctx, volumeDays(ctx.now, count));
  return read(lineId).map(({ sent, received, failed }) => [sent, received, failed]);
}

test("every message counts once, before it is counted, after, and however often the job runs", async () => {
  await acceptTestMessage(account, chatId);
  await acceptTestMessage(account, chatId);
  const expected = [[2, 1, 0]];
  expect(await volumes(1)).toEqual(expected);
  await countVolumes(never);
  expect(await prisma().lineDay.count({ where: { accountId: account.ref.id } })).toBe(0);

  setClock({ offsetMs: DAY_MS, frozenAt: null });
  await Promise.all([countVolumes(never), countVolumes(never), countVolumes(never)]);
  await countVolumes(never);
  expect(await prisma().lineDay.findMany({ where: { accountId: account.ref.id } })).toMatchObject([
    { lineId, sent: 2, received: 1 },
  ]);

  await acceptTestMessage(account, chatId);
  expect(await volumes(2)).toEqual([...expected, [1, 0, 0]]);
  setClock({ offsetMs: 2 * DAY_MS, frozenAt: null });
  await writeAs(account, phone, { to: account.line, text: "late" });
  await countVolumes(never);
  expect(await volumes(3)).toEqual([...expected, [1, 0, 0], [0, 1, 0]]);
});

test("a failure shows on its message's day though that is counted, and goes when a late receipt proves it wrong", async () => {
  const id = await acceptTestMessage(account, chatId);
  setClock({ offsetMs: 3 * DAY_MS, frozenAt: null });
  await countVolumes(never);
  const fail = (status: string, at: Date | null) =>
    sql.runText({
      text: "update messages set delivery_status = $2::text::delivery_status, failed_at = $3 where id = $1",
      values: [id, status, at],
    });

  await fail("failed", now());
  expect(await volumes(4)).toEqual([
    [1, 1, 1],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  await fail("delivered", null);
  expect((await volumes(4))[0]).toEqual([1, 1, 0]);
});

test("a failure older than three days is counted once, and newer ones are counted when requested", async () => {
  const fail = async () => {
    const id = await acceptTestMessage(account, chatId);
    await sql.runText({
      text: "update messages set delivery_status = 'failed', failed_at = created_at where id = $1",
      values: [id],
    });
  };
  const failures = async () => (await volumes(12)).map(([, , failed]) => failed);
  const counted = async () =>
    (await prisma().lineDay.findMany({ where: { accountId: account.ref.id } })).map(({ failed }) => failed);
  setClock({ offsetMs: 5 * DAY_MS, frozenAt: null });
  await fail();
  setClock({ offsetMs: 7 * DAY_MS, frozenAt: null });
  await fail();
  await countFailures(never);
  expect(await counted()).toEqual([]);
  expect(await failures()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]);

  setClock({ offsetMs: 9 * DAY_MS, frozenAt: null });
  await Promise.all([countFailures(never), countFailures(never)]);
  await countFailures(never);
  expect(await counted()).toEqual([1]);
  expect(await failures()).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0]);
  const failedRead = (await explainStatements(failures)).filter(({ on }) => on.startsWith("messages"));
  expect(Math.max(...failedRead.map(({ rows }) => rows))).toBeLessThanOrEqual(3);
});

test("lines of other accounts are not among them", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const ctx = other.context();
  expect((await readVolumes(ctx, volumeDays(ctx.now, 1)))(lineId)).toMatchObject([{ sent: 0, received: 0 }]);
});

test("thirty days of 30,000 messages are read from a row a day, and those of the last minutes", async () => {
  const me = await prisma().participant.findFirstOrThrow({ where: { chatId, isMe: true } });
  const start = now().getTime() - 29 * DAY_MS;
  const ids = Array.from({ length: 30_000 }, (_, made) => {
    const at = start + made * 80_000;
    return { at: new Date(at), id: idAt(at, made) };
  });
  await sql.runText({
    text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
             created_at, updated_at, failed_at)
           select $1, t.id, $2, $3, $4, true, '[]',
             case when t.ord % 1000 = 0 then 'failed' else 'sent' end::delivery_status, 'trace', t.at, t.at,
             case when t.ord % 1000 = 0 then t.at end
           from unnest($5::uuid[], $6::timestamptz[]) with ordinality as t(id, at, ord)`,
    values: [account.ref.id, chatId, lineId, me.id, ids.map(({ id }) => id), ids.map(({ at }) => at)],
  });
  const before = await volumes(30);
  await countVolumes(never);
  expect(await volumes(30)).toEqual(before);
  expect(before.reduce((sum, [sent = 0]) => sum + sent, 0)).toBe(30_000);
  expect(before.reduce((sum, [, , failed = 0]) => sum + failed, 0)).toBe(30);

  const scans = await explainStatements(() => volumes(30));
  const looked = scans.reduce((sum, { rows }) => sum + rows, 0);
  expect(scans.map(({ node }) => node)).not.toContain("Seq Scan");
  expect(looked).toBeLessThan(200);
});

function idAt(at: number, made: number): string {
  const id = newId(0);
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${id.slice(15, 24)}${made.toString(16).padStart(12, "0")}`;
}
