import "@/lib/testing/use-test-database";
import { beforeEach, describe, expect, test } from "vitest";
import * as MESSAGES from "@/app/api/chats/[chatId]/messages/route";
import * as NOTES from "@/app/api/chats/[chatId]/notes/route";
import * as TAKE_OVER from "@/app/api/chats/[chatId]/take-over/route";
import * as TEAM from "@/app/api/chats/[chatId]/team/route";
import * as BLOCKERS from "@/app/api/send-blockers/route";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { handBackIdleChats } from "@/lib/messaging/team/hand-back-idle-chats";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { advanceClock, createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let phone: string;
let chatId: string;
let agent: DashboardUser;

const setOption = (take_over_minutes: number | null) =>
  updateAccountOptions(account.context(), { body: { take_over_minutes } });
const TEXT = { message: { parts: [{ type: "text", value: "hello" }] } };
const apiSend = () => callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body: TEXT });
const takeOver = (by = agent) => by.call(TAKE_OVER.POST, { method: "POST", params: { chatId } });
const handBack = (by = agent) => by.call(TAKE_OVER.DELETE, { method: "DELETE", params: { chatId } });
const write = (by = agent) => by.call(MESSAGES.POST, { method: "POST", params: { chatId }, body: TEXT });
const team = async (of = agent) => (await of.call(TEAM.GET, { params: { chatId } })).body;
const timeline = async (): Promise<string[]> =>
  (await agent.call(NOTES.GET, { params: { chatId } })).body.notes.map(({ text }: { text: string }) => text);
const audited = () =>
  prisma().auditEntry.findMany({
    where: { objectId: chatId, objectType: "chat" },
    select: { action: true, actorType: true, actorId: true },
    orderBy: { id: "asc" },
  });

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
  agent = await signInAs(account, "support");
  await setOption(15);
});

describe("while a person holds a chat", () => {
  beforeEach(async () => {
    expect((await takeOver()).status).toBe(204);
  });

  test("a send by an API token is 409/2015, not to be retried, and names the holder and the end", async () => {
    const { until } = (await team()).hold;
    const refused = await apiSend();
    expect(refused.status).toBe(409);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(refused.body.error).toMatchObject({ code: 2015 });
    expect(refused.body.error.message).toContain("A support has taken over this chat");
    expect(refused.body.error.message).toContain(until);
    expect(await prisma().message.count({ where: { chatId, isFromMe: true } })).toBe(0);
  });

  test("the error names no email address", async () => {
    await prisma().user.update({ where: { id: agent.id }, data: { name: "ana@example.com" } });
    const { body } = await apiSend();
    expect(body.error.message).toContain("a team member has taken over this chat");
    expect(body.error.message).not.toContain("@");
  });

  test("a dry run says so", async () => {
    const path = `/v3/chats/${chatId}/messages?dry_run=true`;
    const dry = await callApi(`POST ${path}`, { token: account.token, body: TEXT });
    expect(dry.body).toMatchObject({ would_send: false });
    expect(dry.body.checks).toContainEqual(
      expect.objectContaining({ check: "chat", passed: false, code: 2015 }),
    );
  });

  test.each([
    [
      "a poll",
      () => `/v3/chats/${chatId}/polls`,
      () => ({ poll: { options: [{ text: "Today" }, { text: "Tomorrow" }] } }),
    ],
    ["POST /v3/chats", () => "/v3/chats", () => ({ from: account.line, to: [phone], ...TEXT })],
    ["POST /v3/messages", () => "/v3/messages", () => ({ to: [phone], ...TEXT })],
  ])("%s is refused too", async (_, path, body) => {
    const { body: answer } = await callApi(`POST ${path()}`, { token: account.token, body: body() });
    expect(answer.error).toMatchObject({ code: 2015 });
    expect(await prisma().message.count({ where: { chatId, isFromMe: true } })).toBe(0);
  });

  test("a repeated idempotency key still returns its message", async () => {
    await handBack();
    const keyed = { message: { ...TEXT.message, idempotency_key: "order-1" } };
    const send = () => callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body: keyed });
    const first = await send();
    await takeOver();
    const repeat = await send();
    expect(repeat.status).toBe(202);
    expect(repeat.body.message.id).toBe(first.body.message.id);
  });

  test("people's own sends pass, and each by the holder restarts the idle time", async () => {
    const before = (await team()).hold.until;
    advanceClock(600);
    expect((await write(await signInAs(account, "developer"))).status).toBe(202);
    expect((await team()).hold.until).toBe(before);
    expect((await write()).status).toBe(202);
    expect(Date.parse((await team()).hold.until) - Date.parse(before)).toBeGreaterThanOrEqual(600_000);
  });

  test("the send blockers say who holds it: to a token as a refusal, to colleagues as a warning, not to the holder", async () => {
    const query = { chat_id: chatId };
    expect((await agent.call(BLOCKERS.GET, { query })).body.places[0].sendBlockers).toEqual([]);
    const colleague = await signInAs(account, "support");
    expect((await colleague.call(BLOCKERS.GET, { query })).body.places[0].sendBlockers).toMatchObject([
      { reason: "taken_over", code: 2015, refuses: false, by: { type: "user", name: "A support" } },
    ]);
  });

  test("the button hands it back; each step is audited and on the timeline", async () => {
    expect((await handBack()).status).toBe(204);
    expect((await apiSend()).status).toBe(202);
    expect(await timeline()).toEqual([
      "A support took over this chat. API sends are refused",
      "A support handed this chat back to the API",
    ]);
    const by = { actorType: "user", actorId: agent.id };
    expect(await audited()).toEqual([
      { action: "chat.taken_over", ...by },
      { action: "chat.assigned", ...by },
      { action: "chat.handed_back", ...by },
    ]);
  });

  test("the chat goes back after the idle time, even before the worker has recorded that", async () => {
    advanceClock(14 * 60);
    expect((await apiSend()).status).toBe(409);
    advanceClock(61);
    expect((await apiSend()).status).toBe(202);
    expect((await team()).hold).toBeNull();
    expect(await handBackIdleChats(new AbortController().signal)).toBeGreaterThan(0);
    expect(await handBackIdleChats(new AbortController().signal)).toBe(0);
    expect((await timeline()).at(-1)).toBe(
      "This chat went back to the API, because A support sent nothing for a while",
    );
    expect((await audited()).at(-1)).toEqual({
      action: "chat.handed_back",
      actorType: "system",
      actorId: null,
    });
  });

  test("another person can take it from the holder", async () => {
    const colleague = await signInAs(account, "developer");
    await takeOver(colleague);
    expect((await team()).hold).toMatchObject({ by: { id: colleague.id }, is_you: false });
    expect((await team(colleague)).hold).toMatchObject({ is_you: true });
    expect((await timeline()).at(-1)).toBe(
      "A developer took over this chat from A support. API sends are refused",
    );
  });

  test("with the option turned off, sends pass and no holder is named", async () => {
    await setOption(null);
    expect((await apiSend()).status).toBe(202);
    expect(await team()).toMatchObject({ take_over_minutes: null, hold: null });
  });

  test("the partner API and its events do not show the hold", async () => {
    const { body } = await callApi(`GET /v3/chats/${chatId}`, { token: account.token });
    expect(JSON.stringify(body)).not.toMatch(/held|hold|A support/);
    const open = await prisma().event.findMany({
      where: { chatId, internal: false, type: { startsWith: "chat.team" } },
    });
    expect(open).toEqual([]);
    const internal = await prisma().event.findMany({ where: { chatId, type: "chat.team_changed" } });
    expect(internal.map(({ data }) => data)).toEqual([{}]);
  });
});

describe("taking over", () => {
  test("is off by default", async () => {
    await setOption(null);
    const refused = await takeOver();
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 2011 } } });
    expect((await apiSend()).status).toBe(202);
  });

  test("needs the right to send; another account's chat is 403/2005", async () => {
    expect((await takeOver(await signInAs(account, "viewer"))).body.error.code).toBe(2005);
    const other = await createTestAccount({ type: "sandbox" });
    await updateAccountOptions(other.context(), { body: { take_over_minutes: 15 } });
    expect((await takeOver(await signInAs(other, "support"))).body.error.code).toBe(2005);
  });

  test("a send stays one statement", async () => {
    await apiSend();
    const of = { on: await countStatements(apiSend), off: 0 };
    await setOption(null);
    await apiSend();
    of.off = await countStatements(apiSend);
    expect(of.on).toBe(of.off);
  });

  test("a send that waits for an uncommitted take-over is refused", async () => {
    let sending: ReturnType<typeof apiSend> | undefined;
    await transaction(async (tx) => {
      await tx.runText({ text: "select from chats where id = $1 for update", values: [chatId] });
      await tx.runText({
        text: "update chats set held_by = $2, held_at = now(), held_until = now() + interval '1 hour' where id = $1",
        values: [chatId, agent.id],
      });
      sending = apiSend();
      await untilLocked();
    });
    expect((await sending)?.body.error.code).toBe(2015);
  });

  test("a take-over waits for a send that is not committed", async () => {
    let taking: ReturnType<typeof takeOver> | undefined;
    await transaction(async (tx) => {
      await tx.runText({ text: "select from chats where id = $1 for key share", values: [chatId] });
      taking = takeOver();
      await untilLocked();
      expect((await team()).hold).toBeNull();
    });
    expect((await taking)?.status).toBe(204);
  });

  test("in the same instant as sends: each send was accepted before it or refused, in one order", async () => {
    for (let round = 0; round < 10; round++) {
      const sends = Array.from({ length: 6 }, apiSend);
      const [taken, ...answers] = await Promise.all([takeOver(), ...sends]);
      expect(taken?.status).toBe(204);
      const accepted = answers.filter(({ status }) => status === 202).map(({ body }) => body.message.id);
      for (const answer of answers) expect([202, 409]).toContain(answer.status);
      // The numbers of events follow the order of commits of these transactions.
      const [order] = await sql.runText<{ taken: string; last: string | null; after: number }>({
        text: `with taken as (select max(seq) as seq from events where chat_id = $1 and type = 'chat.team_changed')
               select t.seq as taken, max(e.seq) as last, count(e.seq) filter (where e.seq > t.seq)::int as after
               from taken t left join events e on e.chat_id = $1 and e.type = 'message.accepted' and e.message_id = any($2::uuid[])
               group by t.seq`,
        values: [chatId, accepted],
      });
      expect(order?.after).toBe(0);
      await handBack();
    }
  });
});
