import "@/lib/testing/use-test-database";
import { beforeEach, describe, expect, test } from "vitest";
import * as REPLY from "@/app/api/canned-replies/[replyId]/route";
import * as REPLIES from "@/app/api/canned-replies/route";
import * as ASSIGNEE from "@/app/api/chats/[chatId]/assignee/route";
import * as NOTES from "@/app/api/chats/[chatId]/notes/route";
import * as READ from "@/app/api/chats/[chatId]/read/route";
import * as TEAM from "@/app/api/chats/[chatId]/team/route";
import * as CHATS from "@/app/api/chats/route";
import * as NOTICE from "@/app/api/notices/[noticeId]/route";
import * as NOTICES from "@/app/api/notices/route";
import { allTransports } from "@/lib/adapters/transports/registry";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { prisma, sql } from "@/lib/platform/database/db";
import { changeOptOut } from "@/lib/recipients/opt-outs/change-opt-out";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  createDirectChat,
  createTestPhone,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
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

const at = (index: number) => chats[index] ?? "";
const list = async (query: Record<string, string>, by = agent) => (await by.call(CHATS.GET, { query })).body;
const listed = async (query: Record<string, string>, by = agent): Promise<string[]> =>
  (await list(query, by)).conversations.map(({ chat }: { chat: { id: string } }) => chat.id);
const assign = (chatId: string, user_id: string | null, by = agent) =>
  by.call(ASSIGNEE.PUT, { method: "PUT", params: { chatId }, body: { user_id } });
const note = (chatId: string, body: object, by = agent) =>
  by.call(NOTES.POST, { method: "POST", params: { chatId }, body });
const readAll = () =>
  Promise.all(chats.map((chatId) => agent.call(READ.POST, { method: "POST", params: { chatId } })));

describe("a view of the chat list", () => {
  test("mine: the chats assigned to the caller", async () => {
    await assign(at(1), agent.id);
    expect(await listed({ view: "mine" })).toEqual([at(1)]);
    expect(await listed({ view: "mine" }, await signInAs(account, "support"))).toEqual([]);
    expect((await list({})).conversations[1].assignee).toEqual({ id: agent.id, name: "A support" });
  });

  test("unread: until the chat is marked read, for the whole team", async () => {
    expect(await listed({ view: "unread" })).toEqual([at(2), at(1), at(0)]);
    await readAll();
    expect(await listed({ view: "unread" }, await signInAs(account, "viewer"))).toEqual([]);
    expect((await list({})).conversations.map(({ unread }: { unread: number }) => unread)).toEqual([0, 0, 0]);
    await writeAs(account, phones[0] ?? "", { to: account.line, text: "again" });
    expect(await listed({ view: "unread" })).toEqual([at(0)]);
    expect((await agent.call(TEAM.GET, { params: { chatId: at(0) } })).body.is_unread).toBe(true);
  });

  test("unread: until the account answers", async () => {
    const running = allTransports().flatMap((transport) => transport.start?.(inboundSink) ?? []);
    const dispatch = startDispatch(5000);
    try {
      await untilStatus(account, await acceptTestMessage(account, at(1)), "delivered");
    } finally {
      await Promise.all([...running, dispatch].map((part) => part.stop()));
    }
    expect(await listed({ view: "unread" })).toEqual([at(2), at(0)]);
  });

  test("at risk: at risk and critical, not healthy or opted out", async () => {
    const statuses = ["AT_RISK", "CRITICAL", "OPTED_OUT"] as const;
    for (const [index, healthStatus] of statuses.entries()) {
      await prisma().chat.updateMany({ where: { id: at(index) }, data: { healthStatus } });
    }
    expect((await listed({ view: "at_risk" })).toSorted()).toEqual([at(0), at(1)].toSorted());
  });

  test("opted out: by a keyword or by hand, while the opt-out lasts", async () => {
    await writeAs(account, phones[0] ?? "", { to: account.line, text: "STOP" });
    const decide = (opted_out: boolean) =>
      changeOptOut(account.context(), { body: { handle: phones[1] ?? "", opted_out, note: "called" } });
    await decide(true);
    expect((await listed({ view: "opted_out" })).toSorted()).toEqual([at(0), at(1)].toSorted());
    await decide(false);
    expect(await listed({ view: "opted_out" })).toEqual([at(0)]);
  });

  test("failed: a message failed in the last seven days", async () => {
    const [recent, old] = [await acceptTestMessage(account, at(0)), await acceptTestMessage(account, at(1))];
    await sql.runText({
      text: "update messages set failed_at = now(), delivery_status = 'failed' where id = any($1::uuid[])",
      values: [[recent, old]],
    });
    await sql.runText({
      text: "update messages set id = '01000000-0000-7000-8000-000000000000' where id = $1",
      values: [old],
    });
    expect(await listed({ view: "failed" })).toEqual([at(0)]);
  });

  test("service and line narrow it, a search too, and pages follow each other without gaps", async () => {
    const { id: lineId } = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
    expect(await listed({ view: "unread", service: "SMS" })).toEqual([]);
    expect(await listed({ view: "unread", search: phones[1] ?? "" })).toEqual([at(1)]);
    await prisma().chat.updateMany({ where: { id: at(1) }, data: { isUnread: false } });
    expect(await listed({ view: "unread", search: phones[1] ?? "" })).toEqual([]);
    await prisma().chat.updateMany({ where: { id: at(1) }, data: { isUnread: true } });
    const query = { view: "unread", service: "iMessage", line_id: lineId, limit: "2" };
    const first = await list(query);
    expect(first.total).toMatchObject({ count: 3 });
    const second = await list({ ...query, cursor: first.next_cursor });
    const ids = [...first.conversations, ...second.conversations].map(({ chat }) => chat.id);
    expect(ids).toEqual([at(2), at(1), at(0)]);
    expect(second.next_cursor).toBeNull();
  });

  test("shows why a recipient can't or may not want to be messaged", async () => {
    await writeAs(account, phones[0] ?? "", { to: account.line, text: "STOP" });
    await writeAs(account, phones[1] ?? "", { to: account.line, text: "please stop texting me" });
    await prisma().contact.updateMany({
      where: { handle: phones[2] ?? "" },
      data: { blockedAt: new Date() },
    });
    const marks = (await list({})).conversations.map(({ mark }: { mark: string }) => mark);
    expect(marks).toEqual(["near_miss", "opted_out", "blocked"]);
  });
});

describe("an assignment", () => {
  test("is audited and on the timeline; the same again changes nothing", async () => {
    const colleague = await signInAs(account, "developer");
    expect((await assign(at(0), colleague.id)).status).toBe(204);
    await assign(at(0), colleague.id);
    await assign(at(0), null);
    const { notes } = (await agent.call(NOTES.GET, { params: { chatId: at(0) } })).body;
    expect(notes.map(({ text }: { text: string }) => text)).toEqual([
      "A support assigned this chat to A developer",
      "A support removed the assignment",
    ]);
    const audited = await prisma().auditEntry.findMany({
      where: { action: "chat.assigned", objectId: at(0) },
    });
    expect(audited.map(({ detail }) => detail)).toEqual([
      { from: null, to: colleague.id },
      { from: colleague.id, to: null },
    ]);
  });

  test("needs a person of the team, the right to send, and a chat of the account", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const stranger = await signInAs(other, "admin");
    expect((await assign(at(0), stranger.id)).body.error.code).toBe(1005);
    expect((await assign(at(0), agent.id, await signInAs(account, "viewer"))).status).toBe(403);
    expect((await assign(at(0), stranger.id, stranger)).body.error.code).toBe(2005);
  });
});

describe("an internal note", () => {
  test("is on the timeline with its author, audited without its text, and a mention makes a notice for that person only", async () => {
    const [ben, eve] = [await signInAs(account, "support"), await signInAs(account, "support")];
    expect((await note(at(0), { text: " Call back ", mentions: [ben.id, ben.id] })).status).toBe(201);
    const { notes } = (await eve.call(NOTES.GET, { params: { chatId: at(0) } })).body;
    expect(notes).toMatchObject([{ type: "note", text: "Call back", by: "A support" }]);
    const [entry] = await prisma().auditEntry.findMany({ where: { action: "chat.note_written" } });
    expect(entry?.objectId).toBe(at(0));
    expect(JSON.stringify(entry?.detail)).not.toContain("Call back");

    const noticesOf = async (of: DashboardUser) =>
      (await of.call(NOTICES.GET, { query: { status: "open" } })).body.notices;
    const [notice, ...more] = await noticesOf(ben);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ kind: "mention", body: "Call back", link: `/chats/${at(0)}` });
    expect(await noticesOf(eve)).toEqual([]);
    const dismiss = (by: DashboardUser) =>
      by.call(NOTICE.DELETE, { method: "DELETE", params: { noticeId: notice.id } });
    expect((await dismiss(eve)).status).toBe(404);
    expect((await dismiss(ben)).status).toBe(204);
    expect(await noticesOf(ben)).toEqual([]);
  });

  test("never leaves by the partner API or by events", async () => {
    await note(at(0), { text: "Secret note" });
    const { messageId } = await writeAs(account, phones[0] ?? "", { to: account.line, text: "hi" });
    for (const path of [`/v3/chats/${at(0)}`, `/v3/chats/${at(0)}/messages`, `/v3/messages/${messageId}`]) {
      const { status, body } = await callApi(`GET ${path}`, { token: account.token });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain("Secret note");
    }
    const events = await prisma().event.findMany({ where: { accountId: account.ref.id } });
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain("Secret note");
    expect(events.find(({ type }) => type === "chat.team_changed")?.internal).toBe(true);
  });

  test("needs text, at most 2,000 characters, colleagues and the right to send", async () => {
    expect((await note(at(0), { text: "  " })).status).toBe(400);
    expect((await note(at(0), { text: "a".repeat(2001) })).status).toBe(400);
    const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
    expect((await note(at(0), { text: "hi", mentions: [stranger.id] })).body.error.code).toBe(1005);
    expect((await note(at(0), { text: "hi" }, stranger)).body.error.code).toBe(2005);
    expect((await note(at(0), { text: "hi" }, await signInAs(account, "viewer"))).status).toBe(403);
  });
});

describe("canned replies", () => {
  const create = (title: string, by = agent) =>
    by.call(REPLIES.POST, { method: "POST", body: { title, body: "Hi {{name}}" } });
  const change = (replyId: string, title: string) =>
    agent.call(REPLY.PUT, { method: "PUT", params: { replyId }, body: { title, body: "Bye" } });
  const remove = (replyId: string) => agent.call(REPLY.DELETE, { method: "DELETE", params: { replyId } });

  test("are created, changed and deleted, each audited, with one of each title", async () => {
    const { id } = (await create("Welcome")).body;
    const { id: other } = (await create("away")).body;
    expect((await create("Welcome")).body.error.code).toBe(2015);
    expect((await change(id, "away")).body.error.code).toBe(2015);
    expect((await change(id, "Goodbye")).body).toEqual({ id, title: "Goodbye", body: "Bye" });
    const found = (await agent.call(REPLIES.GET)).body;
    expect(found.agent).toBe("A support");
    expect(found.replies.map(({ title }: { title: string }) => title)).toEqual(["away", "Goodbye"]);
    expect((await remove(other)).status).toBe(204);
    expect((await remove(other)).status).toBe(404);
    expect((await change(other, "x")).status).toBe(404);
    const audited = await prisma().auditEntry.findMany({
      where: { accountId: account.ref.id, objectType: "canned_reply" },
      orderBy: { id: "asc" },
    });
    expect(audited.map(({ action }) => action)).toEqual([
      "canned_reply.created",
      "canned_reply.created",
      "canned_reply.updated",
      "canned_reply.deleted",
    ]);
  });

  test("are at most 200, also when the last ones are created in the same instant", async () => {
    await sql.runText({
      text: `insert into canned_replies (account_id, id, title, body, created_at, updated_at)
             select $1, gen_random_uuid(), 'Reply ' || n, 'Hi', now(), now() from generate_series(1, 199) n`,
      values: [account.ref.id],
    });
    const answers = await Promise.all(["a", "b", "c"].map((title) => create(title)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  test("of another account are not found, and need the right to send", async () => {
    const { id } = (await create("Welcome")).body;
    const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
    expect((await stranger.call(REPLIES.GET)).body.replies).toEqual([]);
    const params = { replyId: id };
    expect((await stranger.call(REPLY.DELETE, { method: "DELETE", params })).status).toBe(404);
    expect((await create("Mine", await signInAs(account, "viewer"))).status).toBe(403);
  });
});
