import "@/lib/testing/use-test-database";
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import * as ASSIGNEE from "@/app/api/chats/[chatId]/assignee/route";
import * as NOTES from "@/app/api/chats/[chatId]/notes/route";
import * as STATE from "@/app/api/chats/[chatId]/state/route";
import * as TAKE_OVER from "@/app/api/chats/[chatId]/take-over/route";
import * as TEAM from "@/app/api/chats/[chatId]/team/route";
import * as COUNTS from "@/app/api/chats/counts/route";
import * as CHATS from "@/app/api/chats/route";
import { allTransports } from "@/lib/adapters/transports/registry";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { endSnoozes } from "@/lib/messaging/team/end-snoozes";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { explainPlans } from "@/lib/testing/database/explain-plan";
import { untilLocked } from "@/lib/testing/database/until-locked";
import {
  acceptTestMessage,
  advanceClock,
  createDirectChat,
  createTestPhone,
  untilStatus,
  writeAs,
} from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { copyChats } from "@/lib/testing/test-chats";

const HOUR_MS = 3_600_000;

let account: TestAccount;
let phone: string;
let chatId: string;
let agent: DashboardUser;

const change = (body: object, { by = agent, of = chatId } = {}) =>
  by.call(STATE.PUT, { method: "PUT", params: { chatId: of }, body });
const newest = async (of = chatId): Promise<string | null> => {
  const row = await prisma().message.findFirst({ where: { chatId: of }, orderBy: { position: "desc" } });
  return row?.id ?? null;
};
const close = async (of = chatId) => change({ state: "closed", last_message_id: await newest(of) }, { of });
const inHours = (hours: number) => new Date(now().getTime() + hours * HOUR_MS).toISOString();
const snooze = async (hours: number, of = chatId) =>
  change({ state: "snoozed", until: inHours(hours), last_message_id: await newest(of) }, { of });
const team = async (of = chatId) => (await agent.call(TEAM.GET, { params: { chatId: of } })).body;
const listed = async (view: string, by = agent): Promise<string[]> =>
  (await by.call(CHATS.GET, { query: { view } })).body.conversations.map(
    ({ chat }: { chat: { id: string } }) => chat.id,
  );
const counts = async (by = agent) => (await by.call(COUNTS.GET, {})).body;
const write = (text = "hello") => writeAs(account, phone, { to: account.line, text });
const timeline = async (): Promise<string[]> =>
  (await agent.call(NOTES.GET, { params: { chatId } })).body.notes.map(({ text }: { text: string }) => text);
const audited = () =>
  prisma().auditEntry.findMany({
    where: { objectId: chatId, action: { in: ["chat.closed", "chat.snoozed", "chat.reopened"] } },
    select: { action: true, actorType: true },
    orderBy: { id: "asc" },
  });

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
  agent = await signInAs(account, "support");
});

describe("closing a chat", () => {
  test("moves it from the open views to Closed, once, with an audit entry and an entry in the timeline", async () => {
    expect(await listed("needs_reply")).toEqual([chatId]);
    expect(await listed("unassigned")).toEqual([chatId]);
    expect((await close()).status).toBe(204);
    expect((await close()).status).toBe(204);
    expect(await listed("needs_reply")).toEqual([]);
    expect(await listed("unassigned")).toEqual([]);
    expect(await listed("closed")).toEqual([chatId]);
    expect(await audited()).toEqual([{ action: "chat.closed", actorType: "user" }]);
    expect(await timeline()).toEqual(["A support closed this chat"]);
  });

  test("needs the right to send; another account's chat is 403/2005 and an unknown one 404", async () => {
    const viewer = await signInAs(account, "viewer");
    expect((await change({ state: "open" }, { by: viewer })).body.error.code).toBe(2005);
    const other = await createTestAccount({ type: "sandbox" });
    const stranger = await signInAs(other, "support");
    const body = { state: "closed", last_message_id: null };
    expect((await change(body, { by: stranger })).body.error.code).toBe(2005);
    expect((await change(body, { of: "0190b0f5-4f1c-7000-8000-000000000000" })).status).toBe(404);
    expect((await team()).inbox_state).toBe("open");
    expect(await counts(stranger)).toEqual({
      needs_reply: 0,
      unassigned: 0,
      mine: 0,
      my_teams: null,
      snoozed: 0,
      unread: 0,
    });
  });

  test("leaves the chat open when the customer has written since the message that the person has seen", async () => {
    const seen = await newest();
    await write("one more thing");
    const refused = await change({ state: "closed", last_message_id: seen });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 2015 } } });
    const unseen = await change({ state: "snoozed", until: inHours(1), last_message_id: null });
    expect(unseen.status).toBe(409);
    expect((await team()).inbox_state).toBe("open");
    expect((await close()).status).toBe(204);
  });

  test("undone leaves the chat as it was: a reply that was needed is needed again", async () => {
    await close();
    expect(await counts()).toMatchObject({ needs_reply: 0 });
    await change({ state: "open" });
    expect((await team()).inbox_state).toBe("open");
    expect(await listed("needs_reply")).toEqual([chatId]);
    expect(await listed("unassigned")).toEqual([chatId]);
  });
});

describe("an inbound message", () => {
  test.each([
    ["a plain text", () => write("back again")],
    ["a message that is stored step by step", () => write("please stop texting me")],
  ])("opens a closed chat and a snoozed one: %s", async (_, send) => {
    await close();
    await send();
    expect(await team()).toMatchObject({ inbox_state: "open", snoozed_until: null });
    await snooze(5);
    await send();
    expect(await team()).toMatchObject({ inbox_state: "open", snoozed_until: null });
    expect(await listed("needs_reply")).toEqual([chatId]);
  });

  test("takes as many statements in a closed chat as in an open one", async () => {
    await write();
    const open = await countStatements(() => write("open"));
    await close();
    expect(await countStatements(() => write("closed"))).toBe(open);
  });

  test("that waits for an uncommitted close opens the chat", async () => {
    let writing: ReturnType<typeof write> | undefined;
    await transaction(async (tx) => {
      await tx.runText({ text: "select from chats where id = $1 for no key update", values: [chatId] });
      await tx.runText({ text: "update chats set inbox_state = 'closed' where id = $1", values: [chatId] });
      writing = write("at the same moment");
      await untilLocked();
    });
    await writing;
    expect((await team()).inbox_state).toBe("open");
  });

  test("that is committed while a close waits for the chat is not closed away", async () => {
    const seen = await newest();
    let closing: ReturnType<typeof change> | undefined;
    await transaction(async (tx) => {
      await tx.runText({ text: "select from chats where id = $1 for no key update", values: [chatId] });
      closing = change({ state: "closed", last_message_id: seen });
      await untilLocked();
      await tx.runText({
        text: `insert into messages select (jsonb_populate_record(m, jsonb_build_object(
                 'id', '0190b0f5-4f1c-7000-8000-00000000000a',
                 'position', (select max(position) + 1 from messages where chat_id = $1)))).*
               from messages m where chat_id = $1 and not is_from_me`,
        values: [chatId],
      });
    });
    expect((await closing)?.status).toBe(409);
    expect((await team()).inbox_state).toBe("open");
  });

  test("in the same instant as closes: the chat ends open, no message is lost, and the counts match the lists", async () => {
    for (let round = 0; round < 8; round++) {
      const [seen, before] = [await newest(), await prisma().message.count({ where: { chatId } })];
      const closes = Array.from({ length: 3 }, () => change({ state: "closed", last_message_id: seen }));
      const [answers] = await Promise.all([Promise.all(closes), write(`round ${round}`)]);
      for (const { status } of answers) expect([204, 409]).toContain(status);
      expect(await prisma().message.count({ where: { chatId } })).toBe(before + 1);
      expect((await team()).inbox_state).toBe("open");
      expect(await listed("needs_reply")).toEqual([chatId]);
      expect(await counts()).toMatchObject({ needs_reply: 1, unassigned: 1 });
    }
  });
});

describe("a snooze", () => {
  test("ends when it is due, and the chat then needs a reply", async () => {
    await change({ state: "open" });
    await sql.runText({ text: "update chats set needs_reply = false where id = $1", values: [chatId] });
    expect((await snooze(2)).status).toBe(204);
    expect((await team()).inbox_state).toBe("snoozed");
    expect(await listed("snoozed")).toEqual([chatId]);
    expect(await listed("needs_reply")).toEqual([]);
    advanceClock(2 * 3600 - 5);
    expect(await endSnoozes(new AbortController().signal)).toBe(0);
    advanceClock(6);
    expect(await endSnoozes(new AbortController().signal)).toBe(1);
    expect(await endSnoozes(new AbortController().signal)).toBe(0);
    expect(await team()).toMatchObject({ inbox_state: "open", snoozed_until: null });
    expect(await listed("needs_reply")).toEqual([chatId]);
    expect((await timeline()).at(-1)).toBe("The snooze of this chat ended");
    expect((await audited()).at(-1)).toEqual({ action: "chat.reopened", actorType: "system" });
  });

  test("can be moved, and ends with a close", async () => {
    await snooze(2);
    await snooze(4);
    expect(await audited()).toHaveLength(2);
    await close();
    advanceClock(5 * 3600);
    expect(await endSnoozes(new AbortController().signal)).toBe(0);
    expect(await team()).toMatchObject({ inbox_state: "closed", snoozed_until: null });
  });

  test.each([
    ["in the past", -1],
    ["after more than a year", 24 * 367],
  ])("can't end %s", async (_, hours) => {
    expect((await snooze(hours)).status).toBe(400);
  });
});

describe("the views of the inbox", () => {
  test("a chat in which the customer has not written is in none of them until someone takes it", async () => {
    const [messageId] = await copyChats(account, chatId, 1);
    const { chatId: started } = await prisma().message.findFirstOrThrow({ where: { id: messageId ?? "" } });
    expect(await listed("unassigned")).toEqual([chatId]);
    expect((await team(started)).inbox_state).toBeNull();
    await agent.call(ASSIGNEE.PUT, {
      method: "PUT",
      params: { chatId: started },
      body: { user_id: agent.id },
    });
    expect(await listed("mine")).toEqual([started]);
    expect(await counts()).toMatchObject({ mine: 1, unassigned: 1 });
    await close(started);
    expect(await listed("mine")).toEqual([]);
  });

  test("a chat that was assigned before there were states is in Mine", async () => {
    await sql.runText({
      text: "update chats set inbox_state = null, assigned_to = $2 where id = $1",
      values: [chatId, agent.id],
    });
    expect(await listed("mine")).toEqual([chatId]);
    expect(await counts()).toMatchObject({ mine: 1 });
  });

  test("Needs reply ends when the account's answer is sent", async () => {
    const running = allTransports().flatMap((transport) => transport.start?.(inboundSink) ?? []);
    const dispatch = startDispatch(5000);
    try {
      await untilStatus(account, await acceptTestMessage(account, chatId), "delivered");
    } finally {
      await Promise.all([...running, dispatch].map((part) => part.stop()));
    }
    expect(await listed("needs_reply")).toEqual([]);
    expect((await team()).inbox_state).toBe("open");
  });

  test("taking over assigns the chat to the person and opens it", async () => {
    await updateAccountOptions(account.context(), { body: { take_over_minutes: 15 } });
    await close();
    await agent.call(TAKE_OVER.POST, { method: "POST", params: { chatId } });
    expect(await team()).toMatchObject({ assignee: { id: agent.id }, inbox_state: "open" });
    const entries = await prisma().auditEntry.findMany({
      where: { objectId: chatId, action: "chat.assigned" },
    });
    expect(entries.map(({ detail }) => detail)).toEqual([{ from: null, to: agent.id }]);
  });

  test.each([
    ["needs_reply", "chats_needs_reply_idx"],
    ["unassigned", "chats_unclaimed_idx"],
    ["my_teams", "chats_team_open_idx"],
    ["mine", "chats_mine_idx"],
    ["snoozed", "chats_put_away_idx"],
    ["closed", "chats_put_away_idx"],
  ])("the list of %s reads the index %s", async (view, index) => {
    const teams = Array.from({ length: 10 }, () => randomUUID());
    await sql.runText({
      text: `with t as (insert into teams select $1, id, id::text, id::text, now(), now() from unnest($2::uuid[]) t(id) returning id)
             insert into team_members select $1, id, $3 from unnest(($2::uuid[])[:2]) t(id) where (select count(*) from t) > 0`,
      values: [account.ref.id, teams, agent.id],
    });
    await sql.runText({
      text: `insert into chats (account_id, id, line_id, line_type, is_group, health_updated_at, last_activity_at,
               created_at, updated_at, inbox_state, team_id)
             select account_id, gen_random_uuid(), line_id, line_type, is_group, now(), now(), now(), now(), 'open', t.id
             from chats, unnest($2::uuid[]) t(id), generate_series(1, 300) where chats.id = $1`,
      values: [chatId, teams],
    });
    await sql.runText({ text: "analyze chats, teams, team_members", values: [] });
    const lists = (await explainPlans(() => listed(view))).filter((plan) => plan.includes("Limit"));
    expect(lists.join("\n")).toContain(index);
    if (view === "my_teams") {
      // No team's chats are sorted, only the pages.
      expect(lists.join("\n")).toMatch(/Sort.*Nested Loop.*Limit.*Index.*chats_team_open_idx/s);
      const ofTeam = () => agent.call(CHATS.GET, { query: { team_id: teams[0] ?? "" } });
      expect((await explainPlans(ofTeam)).join("\n")).toContain("chats_team_idx");
    }
    if (view !== "closed") expect((await explainPlans(() => counts())).join("\n")).toContain(index);
  });

  test("the counts take one statement and stop at 1000", async () => {
    await counts();
    expect(await countStatements(() => counts())).toBe(await countStatements(() => team()));
    await sql.runText({
      text: `insert into chats (account_id, id, line_id, line_type, is_group, health_updated_at, last_activity_at,
               created_at, updated_at, inbox_state, snoozed_until)
             select account_id, gen_random_uuid(), line_id, line_type, is_group, now(), now(), now(), now(), 'snoozed',
               now() + interval '1 hour' from chats, generate_series(1, 1001) where id = $1`,
      values: [chatId],
    });
    expect(await counts()).toMatchObject({ snoozed: 1000, needs_reply: 1 });
  });

  test("the partner API does not show the state, and its events say nothing of it", async () => {
    const before = (await callApi(`GET /v3/chats/${chatId}`, { token: account.token })).body;
    await close();
    expect((await callApi(`GET /v3/chats/${chatId}`, { token: account.token })).body).toEqual(before);
    const events = await prisma().event.findMany({ where: { chatId, type: "chat.team_changed" } });
    expect(events.map(({ data, internal }) => ({ data, internal }))).toEqual([{ data: {}, internal: true }]);
  });
});
