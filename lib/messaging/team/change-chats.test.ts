import "@/lib/testing/use-test-database";
import { beforeEach, expect, test } from "vitest";
import * as TEAM from "@/app/api/chats/[chatId]/team/route";
import * as CHANGES from "@/app/api/chats/changes/route";
import { prisma } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let agent: DashboardUser;
let phones: string[];
let chats: string[];

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  agent = await signInAs(account, "support");
  phones = [];
  chats = [];
  for (let n = 0; n < 3; n++) {
    const phone = await createTestPhone(account);
    phones.push(phone);
    chats.push(await createDirectChat(account, phone));
  }
});

async function seen(ids = chats) {
  const newest = async (chatId: string) =>
    (await prisma().message.findFirst({ where: { chatId }, orderBy: { position: "desc" } }))?.id ?? null;
  return Promise.all(ids.map(async (id) => ({ id, last_message_id: await newest(id) })));
}
const change = async (body: object, { of, by = agent }: { of?: object[]; by?: DashboardUser } = {}) =>
  by.call(CHANGES.POST, { method: "POST", body: { chats: of ?? (await seen()), change: body } });
const team = async (chatId: string) => (await agent.call(TEAM.GET, { params: { chatId } })).body;
const states = () => Promise.all(chats.map(async (id) => (await team(id)).inbox_state));
const inOneHour = () => new Date(now().getTime() + 3_600_000).toISOString();

test("each change reaches every chat", async () => {
  expect((await change({ type: "assign", user_id: agent.id })).body).toEqual({ changed: chats, failed: [] });
  expect((await change({ type: "mark_read" })).body.changed).toEqual(chats);
  for (const id of chats)
    expect(await team(id)).toMatchObject({ assignee: { id: agent.id }, is_unread: false });
  await change({ type: "snooze", until: inOneHour() });
  expect(await states()).toEqual(["snoozed", "snoozed", "snoozed"]);
  await change({ type: "reopen" });
  expect(await states()).toEqual(["open", "open", "open"]);
  await change({ type: "close" });
  expect(await states()).toEqual(["closed", "closed", "closed"]);
  await change({ type: "assign", user_id: null });
  expect((await team(chats[0] ?? "")).assignee).toBeNull();
});

test("a chat in which the customer has written meanwhile stays open, and the others are closed", async () => {
  const before = await seen();
  await writeAs(account, phones[1] ?? "", { to: account.line, text: "wait" });
  const { status, body } = await change({ type: "close" }, { of: before });
  expect(status).toBe(200);
  expect(body.changed).toEqual([chats[0], chats[2]]);
  expect(body.failed).toEqual([
    { id: chats[1], code: 2015, message: expect.stringContaining("the customer has written meanwhile") },
  ]);
  expect(await states()).toEqual(["closed", "open", "closed"]);
});

test("a chat of another account is reported as 2005 and stays as it is, and an unknown one as not found", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const foreign = await createDirectChat(other, await createTestPhone(other));
  const unknown = "0190b0f5-4f1c-7000-8000-000000000000";
  const of = [
    ...(await seen(chats.slice(0, 1))),
    ...[foreign, unknown].map((id) => ({ id, last_message_id: null })),
  ];
  for (const type of ["close", "mark_read", "reopen"]) {
    const { body } = await change({ type }, { of });
    expect(body.changed).toEqual([chats[0]]);
    expect(body.failed.map(({ id, code }: { id: string; code: number }) => [id, code])).toEqual([
      [foreign, 2005],
      [unknown, expect.any(Number)],
    ]);
  }
  const untouched = await prisma().chat.findFirstOrThrow({ where: { id: foreign } });
  expect(untouched).toMatchObject({ inboxState: "open", isUnread: true, readUpTo: null });
});

test("a chat that is named twice is changed once", async () => {
  const [first] = await seen();
  const { body } = await change({ type: "close" }, { of: [first ?? {}, first ?? {}] });
  expect(body.changed).toEqual([chats[0]]);
  expect(
    await prisma().auditEntry.count({ where: { objectId: chats[0] ?? "", action: "chat.closed" } }),
  ).toBe(1);
});

test("nothing is changed by a viewer, for a stranger, in the past, for no chat or for more than 100", async () => {
  const viewer = await signInAs(account, "viewer");
  expect((await change({ type: "close" }, { by: viewer })).status).toBe(403);
  const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "support");
  expect((await change({ type: "assign", user_id: stranger.id })).status).toBe(400);
  expect((await change({ type: "snooze", until: "2020-01-01T00:00:00Z" })).status).toBe(400);
  expect((await change({ type: "close" }, { of: [] })).status).toBe(400);
  const many = Array.from({ length: 101 }, () => ({ id: chats[0], last_message_id: null }));
  expect((await change({ type: "close" }, { of: many })).status).toBe(400);
  expect(await states()).toEqual(["open", "open", "open"]);
});
