import "@/lib/testing/use-test-database";
import { beforeEach, describe, expect, test } from "vitest";
import * as ASSIGNEE from "@/app/api/chats/[chatId]/assignee/route";
import * as MESSAGES from "@/app/api/chats/[chatId]/messages/route";
import * as NOTES from "@/app/api/chats/[chatId]/notes/route";
import * as STATE from "@/app/api/chats/[chatId]/state/route";
import * as TAKE_OVER from "@/app/api/chats/[chatId]/take-over/route";
import * as TEAM_OF_CHAT from "@/app/api/chats/[chatId]/team/route";
import * as CHANGES from "@/app/api/chats/changes/route";
import * as COUNTS from "@/app/api/chats/counts/route";
import * as CSV from "@/app/api/chats/csv/route";
import * as CHATS from "@/app/api/chats/route";
import * as NOTICE from "@/app/api/notices/[noticeId]/route";
import * as NOTICES from "@/app/api/notices/route";
import * as PERSON from "@/app/api/people/[userId]/route";
import * as MEMBERS from "@/app/api/team-members/route";
import * as TEAM from "@/app/api/teams/[teamId]/route";
import * as TEAMS from "@/app/api/teams/route";
import { recordNotice } from "@/lib/identity/notices/record-notice";
import { addMember } from "@/lib/identity/people/add-member";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let admin: DashboardUser;
let ben: DashboardUser;
let eve: DashboardUser;
let chats: string[];

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  ben = await signInAs(account, "support");
  eve = await signInAs(account, "support");
  chats = [];
  for (let n = 0; n < 3; n++) chats.push(await createDirectChat(account, await createTestPhone(account)));
});

const at = (index: number) => chats[index] ?? "";
const create = (name: string, members: readonly DashboardUser[] = [], by = admin) =>
  by.call(TEAMS.POST, { method: "POST", body: { name, members: members.map(({ id }) => id) } });
const created = async (name: string, members: readonly DashboardUser[] = []): Promise<string> =>
  (await create(name, members)).body.id;
const update = (teamId: string, body: object, by = admin) =>
  by.call(TEAM.PUT, { method: "PUT", params: { teamId }, body });
const remove = (teamId: string, by = admin) => by.call(TEAM.DELETE, { method: "DELETE", params: { teamId } });
const teams = async (by = ben) => (await by.call(TEAMS.GET)).body.teams;
const assign = (chatId: string, body: object, by = eve) =>
  by.call(ASSIGNEE.PUT, { method: "PUT", params: { chatId }, body });
const teamOf = async (chatId: string) => (await ben.call(TEAM_OF_CHAT.GET, { params: { chatId } })).body;
const listed = async (query: Record<string, string>, by = ben): Promise<string[]> =>
  (await by.call(CHATS.GET, { query })).body.conversations.map(
    ({ chat }: { chat: { id: string } }) => chat.id,
  );
const noticesOf = async (of: DashboardUser) =>
  (await of.call(NOTICES.GET, { query: { status: "open" } })).body.notices.filter(
    ({ kind }: { kind: string }) => kind === "team_assigned",
  );
const setRole = (userId: string, role: string) =>
  admin.call(PERSON.PATCH, { method: "PATCH", params: { userId }, body: { role } });
const leave = (userId: string) => admin.call(PERSON.DELETE, { method: "DELETE", params: { userId } });
const membersOf = async (teamId: string) => (await ben.call(TEAM.GET, { params: { teamId } })).body.members;
const audited = (action: string) =>
  prisma().auditEntry.findMany({ where: { accountId: account.ref.id, action }, orderBy: { id: "asc" } });

describe("a team", () => {
  test("is created, renamed and deleted by admins, each audited, with its members", async () => {
    const id = await created(" Billing ", [ben, ben]);
    expect(await teams()).toEqual([{ id, name: "Billing", members: 1, is_mine: true }]);
    expect(await teams(eve)).toEqual([{ id, name: "Billing", members: 1, is_mine: false }]);
    expect((await update(id, { name: "Returns", members: [eve.id] })).status).toBe(204);
    const { body } = await ben.call(TEAM.GET, { params: { teamId: id } });
    expect(body).toEqual({ id, name: "Returns", members: [{ id: eve.id, name: "A support" }] });
    expect((await remove(id)).status).toBe(204);
    expect(await teams()).toEqual([]);
    expect((await remove(id)).status).toBe(404);
    expect((await update(id, { name: "x", members: [] })).status).toBe(404);
    expect((await ben.call(TEAM.GET, { params: { teamId: id } })).status).toBe(404);
    const entries = await prisma().auditEntry.findMany({
      where: { accountId: account.ref.id, objectType: "team" },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ["team.created", { name: "Billing", members: [ben.id] }],
      ["team.updated", { from: "Billing", name: "Returns", members: [eve.id] }],
      ["team.deleted", { name: "Returns", chats: 0 }],
    ]);
  });

  test("has a name of 1 to 60 characters that no other team of the account has, whatever its case", async () => {
    expect((await create("  ")).status).toBe(400);
    expect((await create("a".repeat(61))).status).toBe(400);
    const id = await created("É".repeat(60));
    await created("Billing");
    expect((await create("bILLING")).body.error.code).toBe(2015);
    expect((await update(id, { name: "BILLING", members: [] })).body.error.code).toBe(2015);
    expect((await update(id, { name: "é".repeat(60), members: [] })).status).toBe(204);
    for (const name of ["\u200b", "\u00ad\u2060", "a\u202eb", "a\u2066b", "a\nb", "a\u2028b"])
      expect([name, (await create(name)).body.error?.code]).toEqual([name, 1005]);
    expect((await create("Billing\u200b")).body.error.code).toBe(2015);
    expect((await create("Bill\u00ading \ufe0f")).body.error.code).toBe(2015);
    const other = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
    expect((await create("Billing", [], other)).status).toBe(201);
  });

  test("is one of 50 at most, also when the last ones are created in the same instant", async () => {
    await sql.runText({
      text: `insert into teams (account_id, id, name, name_key, created_at, updated_at)
             select $1, gen_random_uuid(), 'T' || n, 't' || n, now(), now() from generate_series(1, 49) n`,
      values: [account.ref.id],
    });
    const answers = await Promise.all(["a", "b", "c"].map((name) => create(name)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(await teams()).toHaveLength(50);
  });

  test("consists of at most 200 people who can answer chats", async () => {
    const [viewer, stranger] = [
      await signInAs(account, "viewer"),
      await signInAs(await createTestAccount({ type: "sandbox" }), "support"),
    ];
    expect((await create("Viewers", [viewer])).body.error.code).toBe(1005);
    expect((await create("Strangers", [ben, stranger])).body.error.code).toBe(1005);
    const many = Array.from({ length: 201 }, () => ben.id);
    const tooMany = { method: "POST", body: { name: "Many", members: many } } as const;
    expect((await admin.call(TEAMS.POST, tooMany)).status).toBe(400);
    expect(await teams()).toEqual([]);
  });

  test("is managed by admins only and hidden from other accounts", async () => {
    const id = await created("Billing", [ben]);
    const developer = await signInAs(account, "developer");
    for (const by of [ben, developer]) {
      expect((await create("Mine", [], by)).status).toBe(403);
      expect((await update(id, { name: "Mine", members: [] }, by)).status).toBe(403);
      expect((await remove(id, by)).status).toBe(403);
    }
    const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
    expect(await teams(stranger)).toEqual([]);
    expect((await stranger.call(TEAM.GET, { params: { teamId: id } })).status).toBe(404);
    expect((await update(id, { name: "Mine", members: [] }, stranger)).status).toBe(404);
    expect((await remove(id, stranger)).status).toBe(404);
    expect(await teams()).toMatchObject([{ id, name: "Billing" }]);
  });

  test("loses a person who is removed, also one who is added to it at the same moment", async () => {
    const id = await created("Billing", [ben, eve]);
    expect((await leave(eve.id)).status).toBe(204);
    expect(await teams()).toMatchObject([{ members: 1 }]);

    const late = await signInAs(account, "support");
    let both: Promise<unknown[]> | undefined;
    await transaction(async (tx) => {
      // The change waits for this row after it has checked that the person belongs to the partner.
      const values = [account.ref.id, id, late.id];
      await tx.runText({ text: "insert into team_members values ($1, $2, $3)", values });
      const adding = update(id, { name: "Billing", members: [ben.id, late.id] });
      await untilLocked("insert into team_members");
      const leaving = leave(late.id);
      await untilLocked("memberships");
      both = Promise.all([adding, leaving]);
    });
    expect(await both).toMatchObject([{ status: 204 }, { status: 204 }]);
    expect((await ben.call(TEAM.GET, { params: { teamId: id } })).body.members).toHaveLength(1);
  });
});

describe("a person of a team", () => {
  test("leaves it with a role that can't answer chats, also when added to it at the same moment", async () => {
    const id = await created("Billing", [ben, eve]);
    expect((await setRole(eve.id, "developer")).status).toBe(204);
    expect(await membersOf(id)).toHaveLength(2);
    expect((await setRole(eve.id, "viewer")).status).toBe(204);
    expect(await membersOf(id)).toEqual([{ id: ben.id, name: "A support" }]);

    const late = await signInAs(account, "support");
    let both: Promise<unknown[]> | undefined;
    await transaction(async (tx) => {
      // The change waits for this row after it has checked the person's role.
      const values = [account.ref.id, id, late.id];
      await tx.runText({ text: "insert into team_members values ($1, $2, $3)", values });
      const adding = update(id, { name: "Billing", members: [ben.id, late.id] });
      await untilLocked("insert into team_members");
      const demoting = setRole(late.id, "viewer");
      await untilLocked("update memberships");
      both = Promise.all([adding, demoting]);
    });
    expect(await both).toMatchObject([{ status: 204 }, { status: 204 }]);
    expect(await prisma().teamMember.count({ where: { teamId: id } })).toBe(1);
  });

  test("does not count when an older release has left the row, and is not in it again after coming back", async () => {
    const id = await created("Billing", [ben]);
    const viewer = await signInAs(account, "viewer");
    expect((await leave(eve.id)).status).toBe(204);
    const values = [account.ref.id, id, [eve.id, viewer.id]];
    await sql.runText({ text: "insert into team_members select $1, $2, unnest($3::uuid[])", values });
    expect(await teams()).toMatchObject([{ members: 1 }]);
    expect(await membersOf(id)).toHaveLength(1);

    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: eve.id } });
    const change = systemPartnerChange(account.ref.partnerId);
    await transaction((tx) => addMember(tx, change, { email, name: "Eve", role: "support" }));
    expect(await membersOf(id)).toEqual([{ id: ben.id, name: "A support" }]);
  });

  test("is listed before the people who can't be in one", async () => {
    await signInAs(account, "viewer");
    const { members } = (await ben.call(MEMBERS.GET)).body;
    expect(members.map(({ can_answer }: { can_answer: boolean }) => can_answer)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("a chat of a team", () => {
  test("is assigned to the team, to a person, or to both; what is absent stays", async () => {
    const id = await created("Billing", [ben]);
    const billing = { id, name: "Billing" };
    expect((await assign(at(0), { team_id: id })).status).toBe(204);
    await assign(at(0), { team_id: id });
    expect(await teamOf(at(0))).toMatchObject({ assignee: null, team: billing, inbox_state: "open" });
    await assign(at(0), { user_id: ben.id });
    expect(await teamOf(at(0))).toMatchObject({ assignee: { id: ben.id }, team: billing });
    await assign(at(0), { user_id: null });
    expect(await teamOf(at(0))).toMatchObject({ assignee: null, team: billing });
    await assign(at(0), { user_id: eve.id, team_id: null });
    expect(await teamOf(at(0))).toMatchObject({ assignee: { id: eve.id }, team: null });

    const { notes } = (await ben.call(NOTES.GET, { params: { chatId: at(0) } })).body;
    const texts = notes.map(({ text }: { text: string }) => text);
    expect(texts.slice(0, 3)).toEqual([
      "A support assigned this chat to the team Billing",
      "A support assigned this chat to A support",
      "A support removed the assignment",
    ]);
    // Of one request, in any order.
    expect(texts.slice(3).toSorted()).toEqual([
      "A support assigned this chat to A support",
      "A support removed this chat from its team",
    ]);
    expect((await audited("chat.team_assigned")).map(({ detail }) => detail)).toEqual([
      { from: null, to: id, name: "Billing" },
      { from: id, to: null, name: null },
    ]);
    const events = await prisma().event.findMany({ where: { accountId: account.ref.id } });
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain("Billing");
    // One of the new team, and one of each change of the chat.
    expect(events.filter(({ type }) => type === "chat.team_changed")).toHaveLength(6);
  });

  test("needs a team of the account, the right to send, and something to assign", async () => {
    const id = await created("Billing");
    const other = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
    const foreign = (await create("Billing", [], other)).body.id;
    const change = (body: object) =>
      eve.call(CHANGES.POST, {
        method: "POST",
        body: { chats: [{ id: at(0), last_message_id: null }], change: { type: "assign", ...body } },
      });
    for (const wrong of [{}, { team_id: foreign }, { user_id: other.id, team_id: id }]) {
      expect((await assign(at(0), wrong)).body.error.code).toBe(1005);
      expect((await change(wrong)).body.error.code).toBe(1005);
    }
    const viewer = await signInAs(account, "viewer");
    expect((await assign(at(0), { team_id: id }, viewer)).status).toBe(403);
    expect((await assign(at(0), { team_id: foreign }, other)).body.error.code).toBe(2005);
    expect(await teamOf(at(0))).toMatchObject({ assignee: null, team: null });
  });

  test("stays with its team when a person takes it over", async () => {
    await prisma().account.update({ where: { id: account.ref.id }, data: { takeOverMinutes: 5 } });
    const id = await created("Billing", [ben, eve]);
    await assign(at(0), { team_id: id });
    expect(await noticesOf(ben)).toHaveLength(1);
    const params = { chatId: at(0) };
    expect((await ben.call(TAKE_OVER.POST, { method: "POST", params })).status).toBe(204);
    expect(await teamOf(at(0))).toMatchObject({ assignee: { id: ben.id }, team: { id } });
    expect(await noticesOf(ben)).toEqual([]);
  });

  test("is in My teams of its members and in the team's filter, and no longer unassigned", async () => {
    const [billing, returns] = [await created("Billing", [ben]), await created("Returns", [ben, eve])];
    await assign(at(0), { team_id: billing });
    await assign(at(2), { team_id: returns, user_id: eve.id });
    expect(await listed({ view: "my_teams" })).toEqual([at(2), at(0)]);
    expect(await listed({ view: "my_teams" }, eve)).toEqual([at(2)]);
    expect(await listed({ view: "my_teams", team_id: billing })).toEqual([at(0)]);
    expect(await listed({ view: "unassigned" })).toEqual([at(1)]);
    expect((await ben.call(COUNTS.GET)).body).toMatchObject({ my_teams: 2, unassigned: 1, mine: 0 });

    const query = { view: "my_teams", limit: "1" };
    const first = (await ben.call(CHATS.GET, { query })).body;
    expect(first.conversations[0]).toMatchObject({ team: { id: returns, name: "Returns" } });
    expect(first.total).toMatchObject({ count: 2 });
    const next = (await ben.call(CHATS.GET, { query: { ...query, cursor: first.next_cursor } })).body;
    expect(next.conversations).toMatchObject([{ chat: { id: at(0) }, assignee: null }]);
    expect(next.next_cursor).toBeNull();

    await prisma().chat.updateMany({ where: { id: at(0) }, data: { inboxState: "closed" } });
    expect(await listed({ view: "my_teams" })).toEqual([at(2)]);
    expect(await listed({ team_id: billing })).toEqual([at(0)]);
    const csv = await ben.call(CSV.GET, { query: { team_id: returns } });
    expect(csv.body).toContain("Returns");
  });

  test("is changed with others in one request, in its team or its person alone", async () => {
    const id = await created("Billing", [ben]);
    const change = (body: object) =>
      eve.call(CHANGES.POST, {
        method: "POST",
        body: {
          chats: chats.map((chat) => ({ id: chat, last_message_id: null })),
          change: { type: "assign", ...body },
        },
      });
    await assign(at(0), { user_id: ben.id });
    expect((await change({ team_id: id })).body).toEqual({ changed: chats, failed: [] });
    expect(await listed({ team_id: id })).toHaveLength(3);
    expect(await listed({ view: "mine" })).toEqual([at(0)]);
    await change({ user_id: null });
    expect(await listed({ view: "my_teams" })).toHaveLength(3);
    expect(await listed({ view: "mine" })).toEqual([]);
  });

  test("is among those that wait when the list of its team is reduced to chats without a person", async () => {
    const id = await created("Billing");
    await assign(at(0), { team_id: id });
    await assign(at(1), { team_id: id, user_id: ben.id });
    expect(await listed({ team_id: id, view: "unassigned" })).toEqual([at(0)]);
    expect(await listed({ view: "unassigned" })).toEqual([at(2)]);
  });

  test("can be assigned once the account has teams", async () => {
    expect(await teamOf(at(0))).toMatchObject({ has_teams: false, team: null });
    await created("Billing");
    expect(await teamOf(at(0))).toMatchObject({ has_teams: true, team: null });
  });

  test("has one event of each change of the account's teams", async () => {
    const count = () =>
      prisma().event.count({
        where: { accountId: account.ref.id, type: "chat.team_changed", internal: true },
      });
    const id = await created("Billing");
    expect(await count()).toBe(1);
    await update(id, { name: "Returns", members: [] });
    expect(await count()).toBe(2);
    await remove(id);
    expect(await count()).toBe(3);
  });

  test("has no team after a snapshot is restored whose team is gone", async () => {
    const [gone, kept] = [await created("Billing"), await created("Returns")];
    await assign(at(0), { team_id: gone });
    await assign(at(1), { team_id: kept });
    const call = (what: `${string} ${string}`, body?: object) =>
      callApi(what, { token: account.token, body });
    const { id } = (await call("POST /simulator/snapshots", { name: "teams" })).body;
    await remove(gone);
    expect((await call(`POST /simulator/snapshots/${id}/restore`)).status).toBe(200);
    expect(await teamOf(at(0))).toMatchObject({ team: null });
    expect(await teamOf(at(1))).toMatchObject({ team: { id: kept } });
    expect(await listed({ view: "unassigned" })).toEqual([at(2), at(0)]);
  });

  test("notifies the members while no person looks after it, and until it is closed or a person answers", async () => {
    const id = await created("Billing", [ben]);
    const stored = () =>
      prisma().accountNotice.count({ where: { kind: "team_assigned", accountId: account.ref.id } });
    await assign(at(0), { user_id: eve.id });
    await assign(at(0), { team_id: id });
    await assign(at(1), { team_id: id, user_id: eve.id });
    expect(await stored()).toBe(0);

    await assign(at(0), { team_id: null, user_id: null });
    await assign(at(0), { team_id: id });
    await assign(at(2), { team_id: id });
    expect(await noticesOf(ben)).toHaveLength(2);
    const newest = await prisma().message.findFirst({
      where: { chatId: at(0) },
      orderBy: { position: "desc" },
    });
    const closed = { state: "closed", last_message_id: newest?.id ?? null };
    const params = { chatId: at(0) };
    expect((await eve.call(STATE.PUT, { method: "PUT", params, body: closed })).status).toBe(204);
    expect((await noticesOf(ben)).map(({ link }: { link: string }) => link)).toEqual([`/chats/${at(2)}`]);
    const message = { parts: [{ type: "text", value: "Hello" }] };
    const answer = { method: "POST", params: { chatId: at(2) }, body: { message } } as const;
    expect((await eve.call(MESSAGES.POST, answer)).status).toBe(202);
    expect(await noticesOf(ben)).toEqual([]);
  });

  test("shares its notice with the others of the request, and critical notices come before", async () => {
    const id = await created("Billing", [ben]);
    const assignAll = (of: readonly string[]) =>
      eve.call(CHANGES.POST, {
        method: "POST",
        body: {
          chats: of.map((chat) => ({ id: chat, last_message_id: null })),
          change: { type: "assign", team_id: id },
        },
      });
    const critical = {
      kind: "webhook_failing",
      severity: "critical",
      title: "Failing",
      body: "",
      link: null,
    } as const;
    await recordNotice(sql, { ...critical, accountId: account.ref.id, objectId: null, at: now() });
    await assignAll(chats);
    const all = { title: "A support assigned 3 chats to Billing", link: "/chats?view=my_teams" };
    expect(await noticesOf(ben)).toMatchObject([all]);
    await assign(at(0), { user_id: ben.id }, ben);
    expect(await noticesOf(ben)).toMatchObject([all]);

    await assignAll(chats.slice(1));
    expect(await noticesOf(ben)).toMatchObject([all]);
    for (const chat of chats) await assign(chat, { team_id: null, user_id: null });
    await assignAll(chats.slice(1));
    expect((await noticesOf(ben)).map(({ title }: { title: string }) => title)).toEqual([
      "A support assigned 2 chats to Billing",
    ]);

    const page = async (cursor?: string) =>
      (await ben.call(NOTICES.GET, { query: { status: "open", limit: "1", ...(cursor && { cursor }) } }))
        .body;
    const first = await page();
    expect(first.notices).toMatchObject([{ severity: "critical" }]);
    const second = await page(first.next_cursor);
    expect(second.notices).toMatchObject([{ severity: "info" }]);
    expect(second.next_cursor).toBeNull();
  });

  test("notifies the members, except who assigned it, once and until someone looks after it", async () => {
    const id = await created("Billing", [ben, eve]);
    await assign(at(0), { team_id: id });
    await assign(at(0), { team_id: id });
    const [notice, ...more] = await noticesOf(ben);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ title: "A support assigned a chat to Billing", link: `/chats/${at(0)}` });
    expect(await noticesOf(eve)).toEqual([]);
    expect(await noticesOf(admin)).toEqual([]);
    const dismiss = (by: DashboardUser) =>
      by.call(NOTICE.DELETE, { method: "DELETE", params: { noticeId: notice.id } });
    expect((await dismiss(eve)).status).toBe(404);
    expect((await dismiss(admin)).status).toBe(404);
    expect((await dismiss(ben)).status).toBe(204);
    expect(await noticesOf(ben)).toEqual([]);

    await assign(at(1), { team_id: id }, admin);
    expect([await noticesOf(ben), await noticesOf(eve)].map(({ length }) => length)).toEqual([1, 1]);
    await update(id, { name: "Billing", members: [ben.id] });
    expect(await noticesOf(eve)).toEqual([]);
    await assign(at(1), { user_id: ben.id }, ben);
    expect(await noticesOf(ben)).toEqual([]);
  });

  test("leaves a team that is deleted, with one audit entry, and stays with its person", async () => {
    const [id, kept] = [await created("Billing", [ben]), await created("Returns", [ben])];
    await assign(at(0), { team_id: id, user_id: ben.id });
    await assign(at(1), { team_id: id });
    await assign(at(2), { team_id: kept });
    expect((await remove(id)).status).toBe(204);
    expect(await teamOf(at(0))).toMatchObject({ assignee: { id: ben.id }, team: null });
    expect(await listed({ view: "unassigned" })).toEqual([at(1)]);
    expect(await listed({ view: "my_teams" })).toEqual([at(2)]);
    expect((await noticesOf(ben)).map(({ link }: { link: string }) => link)).toEqual([`/chats/${at(2)}`]);
    expect((await audited("team.deleted")).map(({ detail }) => detail)).toEqual([
      { name: "Billing", chats: 2 },
    ]);
    expect(await audited("chat.team_assigned")).toHaveLength(3);
  });

  test("leaves a team of many chats in steps", async () => {
    const id = await created("Billing");
    await sql.runText({
      text: `insert into chats (account_id, id, line_id, line_type, is_group, health_updated_at, last_activity_at,
               created_at, updated_at, team_id)
             select account_id, gen_random_uuid(), line_id, line_type, is_group, now(), now(), now(), now(), $2
             from chats, generate_series(1, 1001) where id = $1`,
      values: [at(0), id],
    });
    expect((await remove(id)).status).toBe(204);
    const [left] = await sql.runText({
      text: `select count(*) filter (where team_id is not null)::int as with_team, count(distinct xmin::text)::int as steps
             from chats where account_id = $1 and id <> all($2::uuid[])`,
      values: [account.ref.id, chats],
    });
    expect(left).toEqual({ with_team: 0, steps: 2 });
    expect((await audited("team.deleted")).map(({ detail }) => detail)).toEqual([
      { name: "Billing", chats: 1001 },
    ]);
  });

  test.each([
    ["team", "is deleted"],
    ["person", "is removed"],
  ])("is locked in id order when its %s %s, as by everything that locks several chats", async (who) => {
    const id = await created("Billing");
    const [first = "", ...others] = chats.toSorted();
    // In the table and in the indexes, the chat with the lowest id is the last one.
    for (const chat of [...others.toReversed(), first]) await assign(chat, { team_id: id, user_id: ben.id });
    const change = () => (who === "team" ? remove(id) : leave(ben.id));
    let changing: ReturnType<typeof remove> | undefined;
    await transaction(async (tx) => {
      const lock = (chat: string) =>
        tx.runText({ text: "select 1 from chats where id = $1 for update nowait", values: [chat] });
      await lock(first);
      changing = change();
      await untilLocked("update chats");
      for (const chat of others) await lock(chat);
    });
    expect((await changing)?.status).toBe(204);
    const column = who === "team" ? "team_id" : "assigned_to";
    const rows = await sql.runText({
      text: `select 1 from chats where account_id = $1 and ${column} is not null`,
      values: [account.ref.id],
    });
    expect(rows).toEqual([]);
  });

  test("is never left with a team that is deleted while it is assigned", async () => {
    const id = await created("Billing", [ben]);
    // The assignment has the team and waits for the chat; the deletion waits for the assignment.
    let waiting: Promise<unknown[]> | undefined;
    await transaction(async (tx) => {
      await tx.runText({ text: "select 1 from chats where id = $1 for update", values: [at(0)] });
      const assigning = assign(at(0), { team_id: id });
      await untilLocked("from chats");
      const deleting = remove(id);
      await untilLocked("delete from teams");
      waiting = Promise.all([assigning, deleting]);
    });
    expect(await waiting).toMatchObject([{ status: 204 }, { status: 204 }]);
    expect(await teamOf(at(0))).toMatchObject({ team: null });

    // The deletion has the team; the assignment waits for it, and fails.
    const second = await created("Returns", [ben]);
    let late: ReturnType<typeof assign> | undefined;
    await transaction(async (tx) => {
      await tx.runText({ text: "delete from teams where id = $1", values: [second] });
      late = assign(at(0), { team_id: second });
      await untilLocked("from teams");
    });
    expect((await late)?.body.error.code).toBe(1005);
    expect(await teamOf(at(0))).toMatchObject({ team: null });
  });
});
