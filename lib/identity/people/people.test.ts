import "@/lib/testing/use-test-database";
import { beforeEach, describe, expect, test } from "vitest";
import * as assignee from "@/app/api/chats/[chatId]/assignee/route";
import * as passwordReset from "@/app/api/people/[userId]/password-reset/route";
import * as person from "@/app/api/people/[userId]/route";
import * as personSessions from "@/app/api/people/[userId]/sessions/route";
import * as people from "@/app/api/people/route";
import * as password from "@/app/api/session/password/route";
import * as session from "@/app/api/session/route";
import * as ownSession from "@/app/api/sessions/[sessionId]/route";
import * as sessions from "@/app/api/sessions/route";
import { setPassword, setPasswordByLink } from "@/lib/identity/passwords/set-password";
import { acceptWithPassword } from "@/lib/identity/people/accept-invitation";
import { setMemberRole } from "@/lib/identity/people/change-role";
import { createUser } from "@/lib/identity/people/create-user";
import { removeMember } from "@/lib/identity/people/remove-person";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { runForClient } from "@/lib/platform/http/request-client";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const PASSWORD = "correct horse battery";
let account: TestAccount;
let admin: DashboardUser;
let counter = 0;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
});

function invite(body: object, by = admin) {
  return by.call(people.POST, { method: "POST", body: { name: "Grace", role: "viewer", ...body } });
}

/** A chat that is assigned to a person. Returns its id. */
async function assigned(of: TestAccount, userId: string): Promise<string> {
  const chatId = await createDirectChat(of, await createTestPhone(of));
  await sql.runText({ text: "update chats set assigned_to = $2 where id = $1", values: [chatId, userId] });
  return chatId;
}

async function assigneeOf(chatId: string): Promise<string | null | undefined> {
  const [chat] = await sql.runText<{ assigned_to: string | null }>({
    text: "select assigned_to from chats where id = $1",
    values: [chatId],
  });
  return chat?.assigned_to;
}

function setRole(userId: string, role: string, by = admin) {
  return by.call(person.PATCH, { method: "PATCH", params: { userId }, body: { role } });
}

function remove(userId: string, by = admin) {
  return by.call(person.DELETE, { method: "DELETE", params: { userId } });
}

function reset(userId: string, by = admin) {
  return by.call(passwordReset.POST, { method: "POST", params: { userId } });
}

async function isSignedIn(user: DashboardUser): Promise<boolean> {
  return (await user.call(session.GET)).status === 200;
}

function newEmail(): string {
  return `grace${++counter}@example.com`;
}

function tokenOf(link: { url: string }): string {
  return link.url.split("/").at(-1) ?? "";
}

async function auditsOf(userId: string): Promise<string[]> {
  const entries = await prisma().auditEntry.findMany({ where: { objectId: userId }, orderBy: { id: "asc" } });
  return entries.map(({ action, actorId }) => `${action} by ${actorId === admin.id ? "admin" : "another"}`);
}

async function needsProof(user: DashboardUser): Promise<DashboardUser> {
  const late = await user.signInAgain();
  await sql.runText({
    text: "update sessions set proved_at = now() - interval '10 minutes' where user_id = $1",
    values: [user.id],
  });
  return late;
}

describe("inviting", () => {
  test("gives the person access by a one-time link, and tells the audit trail and the partner's webhooks", async () => {
    const email = newEmail();
    const { status, body } = await invite({ email, role: "developer" });
    expect(status).toBe(201);

    expect(await acceptWithPassword(tokenOf(body.link), PASSWORD)).toBe(email);
    expect(await signIn(email, PASSWORD)).toMatchObject({ outcome: "signed_in", user: { id: body.id } });
    expect((await auditsOf(body.id)).slice(0, 2)).toEqual([
      "user.invited by admin",
      "user.invitation_accepted by another",
    ]);
    const [event] = await prisma().event.findMany({
      where: {
        accountId: account.ref.id,
        type: "team_member.added",
        data: { path: ["team_member", "id"], equals: body.id },
      },
    });
    expect(event?.data).toMatchObject({
      actor: { type: "team_member", id: body.id },
      origin: "dashboard",
      team_member: { name: "Grace", role: "manager" },
    });
  });

  test("a person who is there already is a conflict, and keeps the role", async () => {
    const email = newEmail();
    const { body } = await invite({ email });

    expect((await invite({ email, role: "admin" })).status).toBe(409);
    await acceptWithPassword(tokenOf(body.link), PASSWORD);
    expect((await invite({ email, role: "admin" })).status).toBe(409);
    const membership = await prisma().membership.findFirstOrThrow({ where: { userId: body.id } });
    expect(membership.role).toBe("viewer");
  });
});

describe("the last admin", () => {
  test("can be neither demoted nor removed", async () => {
    expect((await setRole(admin.id, "developer")).body.error.code).toBe(2015);
    expect((await remove(admin.id)).body.error.code).toBe(2015);
    expect(await isSignedIn(admin)).toBe(true);
  });

  test("is not demoted by the operator either", async () => {
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: admin.id } });
    const again = createUser({ partnerId: account.ref.partnerId, email, name: "A", role: "viewer" });

    await expect(again).rejects.toMatchObject({ errorName: "state_conflict" });
  });

  test("remains when admins demote and remove each other at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const ours = await createTestAccount({ type: "sandbox" });
      const change = systemPartnerChange(ours.ref.partnerId);
      const admins = await Promise.all(Array.from({ length: 4 }, () => signInAs(ours, "admin")));
      const outcomes = await Promise.allSettled(
        admins.map(({ id }, index) =>
          transaction((tx) =>
            index % 2 === 0
              ? setMemberRole(tx, change, { userId: id, role: "viewer" })
              : removeMember(tx, change, id),
          ),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "rejected")).toMatchObject([
        { reason: { errorName: "state_conflict" } },
      ]);
      const where = { partnerId: ours.ref.partnerId, role: "admin" } as const;
      expect(await prisma().membership.count({ where })).toBe(1);
    }
  });
});

describe("a change of a person", () => {
  test("of the role ends their sessions, and the same role changes nothing", async () => {
    const user = await signInAs(account, "viewer");
    expect((await setRole(user.id, "viewer")).status).toBe(204);
    expect(await isSignedIn(user)).toBe(true);

    expect((await setRole(user.id, "support")).status).toBe(204);

    expect(await isSignedIn(user)).toBe(false);
    expect((await auditsOf(user.id)).slice(1)).toEqual(["user.role_changed by admin"]);
  });

  test("that removes them ends their sessions and their unused link", async () => {
    const user = await signInAs(account, "developer");
    const { body } = await reset(user.id);
    const again = await user.signInAgain();

    expect((await remove(user.id)).status).toBe(204);

    expect(await isSignedIn(again)).toBe(false);
    expect(await setPasswordByLink(tokenOf(body.link), PASSWORD)).toBeNull();
    expect((await remove(user.id)).status).toBe(404);
  });

  test("that removes them leaves their chats unassigned, and those of another partner as they were", async () => {
    const user = await signInAs(account, "support");
    const elsewhere = await createTestAccount({ type: "sandbox" });
    const [chatId, otherChatId] = await Promise.all([
      assigned(account, user.id),
      assigned(elsewhere, user.id),
    ]);

    await remove(user.id);

    expect(await assigneeOf(chatId)).toBeNull();
    expect(await assigneeOf(otherChatId)).toBe(user.id);
  });

  test("that removes them while they are assigned a chat leaves it unassigned", async () => {
    const user = await signInAs(account, "support");
    const chatId = await createDirectChat(account, await createTestPhone(account));
    const change = systemPartnerChange(account.ref.partnerId);
    const { assigning } = await transaction(async (tx) => {
      await removeMember(tx, change, user.id);
      const started = admin.call(assignee.PUT, {
        method: "PUT",
        params: { chatId },
        body: { user_id: user.id },
      });
      await untilLocked();
      return { assigning: started };
    });
    expect((await assigning).body.error.code).toBe(1005);
    expect(await assigneeOf(chatId)).toBeNull();
  });

  test("that resets their password ends it at once, and the link sets another", async () => {
    const user = await signInAs(account, "developer");
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: user.id } });
    await transaction(async (tx) => setPassword(tx, user.id, await hashPassword(PASSWORD)));
    const again = await user.signInAgain();

    const { status, body } = await reset(user.id);

    expect(status).toBe(201);
    expect(await isSignedIn(again)).toBe(false);
    expect(await signIn(email, PASSWORD)).toEqual({ outcome: "refused" });
    await setPasswordByLink(tokenOf(body.link), "another long password");
    expect(await signIn(email, "another long password")).toMatchObject({ outcome: "signed_in" });
  });

  test("signs them out everywhere", async () => {
    const user = await signInAs(account, "viewer");
    const params = { userId: user.id };

    expect((await admin.call(personSessions.DELETE, { method: "DELETE", params })).status).toBe(204);

    expect(await isSignedIn(user)).toBe(false);
  });

  test("needs an admin, a fresh proof of identity, and a person of the same partner", async () => {
    const user = await signInAs(account, "viewer");
    const developer = await signInAs(account, "developer");
    const late = await needsProof(admin);
    const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");

    for (const by of [developer, late]) {
      for (const change of [
        setRole(user.id, "admin", by),
        remove(user.id, by),
        reset(user.id, by),
        invite({ email: newEmail() }, by),
      ]) {
        const { status, headers } = await change;
        expect([status, headers.get("x-proof-required")]).toEqual([403, by === late ? "required" : null]);
      }
    }
    for (const change of [
      setRole(user.id, "admin", stranger),
      remove(user.id, stranger),
      reset(user.id, stranger),
    ]) {
      expect((await change).status).toBe(404);
    }
    expect(await isSignedIn(user)).toBe(true);
  });
});

test("people are listed page by page, to admins alone", async () => {
  await invite({ email: newEmail() });
  const first = await admin.call(people.GET, { query: { limit: "1" } });
  const second = await admin.call(people.GET, { query: { limit: "1", cursor: first.body.next_cursor } });

  expect(first.body.people).toMatchObject([{ id: admin.id, role: "admin" }]);
  expect(second.body).toMatchObject({ people: [{ name: "Grace", is_invited: true }], next_cursor: null });
  const developer = await signInAs(account, "developer");
  expect((await developer.call(people.GET)).status).toBe(403);
});

test("users see and end only their own sessions", async () => {
  const chrome =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";
  const away = await runForClient({ address: "203.0.113.5", userAgent: chrome }, () => admin.signInAgain());
  const stranger = await signInAs(account, "viewer");

  const { body } = await admin.call(sessions.GET);
  expect(body.sessions).toMatchObject([
    { device: "Chrome on Windows", address: "203.0.113.5", is_current: false },
    { is_current: true },
  ]);
  const params = { sessionId: body.sessions[0].id };
  expect((await stranger.call(ownSession.DELETE, { method: "DELETE", params })).status).toBe(404);
  expect((await admin.call(ownSession.DELETE, { method: "DELETE", params })).status).toBe(204);

  expect([await isSignedIn(away), await isSignedIn(admin)]).toEqual([false, true]);
});

test("signing out everywhere ends this session too", async () => {
  const other = await admin.signInAgain();

  expect((await admin.call(sessions.DELETE, { method: "DELETE" })).status).toBe(204);

  expect([await isSignedIn(other), await isSignedIn(admin)]).toEqual([false, false]);
});

test("a new password needs the current one and ends every session", async () => {
  await transaction(async (tx) => setPassword(tx, admin.id, await hashPassword(PASSWORD)));
  const [here, there] = [await admin.signInAgain(), await admin.signInAgain()];
  const change = (current_password: string, new_password = "another long password") =>
    here.call(password.POST, { method: "POST", body: { current_password, new_password } });

  expect((await change("wrong")).status).toBe(403);
  expect((await change(PASSWORD, "short")).status).toBe(400);
  expect(await isSignedIn(there)).toBe(true);
  expect((await change(PASSWORD)).status).toBe(204);

  expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, false]);
});
