import "@/lib/testing/use-test-database";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as invitation from "@/app/api/people/[userId]/invitation/route";
import * as passwordReset from "@/app/api/people/[userId]/password-reset/route";
import * as person from "@/app/api/people/[userId]/route";
import * as people from "@/app/api/people/route";
import * as ownInvitation from "@/app/api/session/invitations/[invitationId]/route";
import * as welcome from "@/app/api/welcome/route";
import { acceptSignedIn, listOwnInvitations } from "@/lib/identity/people/accept-invitation";
import { createUser } from "@/lib/identity/people/create-user";
import { setOperator } from "@/lib/identity/people/set-operator";
import { findSession } from "@/lib/identity/sessions/find-session";
import { HASH_CONCURRENCY, inAttemptSlot } from "@/lib/identity/sign-in/attempt-slots";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { claimAttempt, invitationThrottles, linkThrottle } from "@/lib/identity/sign-in/throttle-attempts";
import { lockMembers } from "@/lib/identity/users/membership";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { dashboardUrl } from "@/lib/platform/env";
import { parseCookies } from "@/lib/runtime/http/parse-cookies";
import type { ApiAnswer } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { type DashboardUser, signInAs, signInAsUser } from "@/lib/testing/sign-in/sign-in-as";
import { addPasskey, signInWith } from "@/lib/testing/sign-in/use-dashboard-passkey";

const PASSWORD = "correct horse battery";
const INTRUDERS = "the intruder's password";

interface Team {
  account: TestAccount;
  admin: DashboardUser;
}

let ours: Team;
let theirs: Team;
let email: string;
let counter = 0;

beforeAll(async () => {
  // Passkeys need localhost or HTTPS.
  process.env.DASHBOARD_URL = "http://localhost:3000";
  ours = await createTeam();
  theirs = await createTeam();
});

beforeEach(() => {
  email = `invited${++counter}@example.com`;
});

async function createTeam(): Promise<Team> {
  const account = await createTestAccount({ type: "sandbox" });
  return { account, admin: await signInAs(account, "admin") };
}

function invite({ admin }: Team, body: object = {}): Promise<ApiAnswer> {
  return admin.call(people.POST, {
    method: "POST",
    body: { email, name: "Typed", role: "viewer", ...body },
  });
}

function remove({ admin }: Team, userId: string): Promise<ApiAnswer> {
  return admin.call(person.DELETE, { method: "DELETE", params: { userId } });
}

function resend({ admin }: Team, userId: string): Promise<ApiAnswer> {
  return admin.call(invitation.POST, { method: "POST", params: { userId } });
}

async function listed({ admin }: Team) {
  const { body } = await admin.call(people.GET);
  return body.people.find((row: { email: string }) => row.email === email);
}

async function openLink(link: { url: string } | string, password: string): Promise<number> {
  const token = typeof link === "string" ? link : tokenOf(link);
  const body = JSON.stringify({ token, password });
  const request = new Request(`${new URL(dashboardUrl()).origin}/api/welcome`, { method: "POST", body });
  return (await welcome.POST(request, { params: Promise.resolve({}) })).status;
}

function tokenOf({ url }: { url: string }): string {
  return url.split("/").at(-1) ?? "";
}

async function userId(): Promise<string> {
  return (await prisma().user.findUniqueOrThrow({ where: { email } })).id;
}

/** A browser in which the person of `email` is signed in. */
async function personIn({ account }: Team): Promise<DashboardUser> {
  return signInAsUser(await userId(), account);
}

function accept(by: DashboardUser, invitationId: string, token?: string): Promise<ApiAnswer> {
  return by.call(ownInvitation.POST, { method: "POST", params: { invitationId }, body: { token } });
}

function decline(by: DashboardUser, invitationId: string): Promise<ApiAnswer> {
  return by.call(ownInvitation.DELETE, { method: "DELETE", params: { invitationId } });
}

/** Makes the person of `email` a member whose address is proved, as `npm run admin -- create-user` does. */
async function makeMember({ account }: Team): Promise<DashboardUser> {
  const { partnerId } = account.ref;
  const { link } = await createUser({ partnerId, email, name: "Real Name", role: "developer" });
  expect(await openLink(link?.token ?? "", PASSWORD)).toBe(200);
  return signInAsUser(await userId(), account);
}

async function partnersOf(): Promise<string[]> {
  const rows = await sql.runText<{ partner_id: string }>({
    text: "select partner_id from memberships m join users u on u.id = m.user_id where u.email = $1",
    values: [email],
  });
  return rows.map(({ partner_id }) => partner_id).sort();
}

const both = () => [ours.account.ref.partnerId, theirs.account.ref.partnerId].sort();

async function outcomeOf(password: string): Promise<string> {
  return (await signIn(email, password)).outcome;
}

describe("an address without an account", () => {
  test("gets a link that sets the first password once and makes the person a member", async () => {
    const { status, body } = await invite(ours, { role: "developer" });

    expect([status, body.accept_link, await partnersOf()]).toEqual([201, null, []]);
    expect(await listed(ours)).toMatchObject({
      id: body.id,
      name: "Typed",
      role: "developer",
      is_invited: true,
    });
    expect(await openLink(body.link, PASSWORD)).toBe(200);
    expect(await openLink(body.link, INTRUDERS)).toBe(404);
    expect(await outcomeOf(PASSWORD)).toBe("signed_in");
    expect(await listed(ours)).toMatchObject({ id: body.id, invitation: null, role: "developer" });
  });

  test("a new link ends the earlier one, and a canceled invitation both", async () => {
    const { body } = await invite(ours);
    const again = await resend(ours, body.id);
    expect(again.status).toBe(201);
    expect(await openLink(body.link, INTRUDERS)).toBe(404);

    expect((await remove(ours, body.id)).status).toBe(204);

    expect(await openLink(again.body.link, PASSWORD)).toBe(404);
    expect((await resend(ours, body.id)).status).toBe(404);
  });

  test("of two partners' links only the first sets the password, also of both at once", async () => {
    for (let round = 0; round < 3; round++) {
      email = `raced${++counter}@example.com`;
      const [first, second] = [await invite(ours), await invite(theirs)];

      const statuses = await Promise.all([
        openLink(first.body.link, PASSWORD),
        openLink(second.body.link, INTRUDERS),
      ]);

      expect(statuses.toSorted()).toEqual([200, 409]);
      const [winner, loser] = statuses[0] === 200 ? [PASSWORD, INTRUDERS] : [INTRUDERS, PASSWORD];
      expect([await outcomeOf(winner), await outcomeOf(loser)]).toEqual(["signed_in", "refused"]);
      expect(await partnersOf()).toHaveLength(1);
    }
  });

  test("opens no partner when the link is used while an admin removes the person", async () => {
    const { body } = await invite(ours);
    const [opened, removed] = await Promise.all([openLink(body.link, PASSWORD), remove(ours, body.id)]);

    expect([200, 404]).toContain(opened);
    expect([removed.status, await partnersOf()]).toEqual([204, []]);
  });
});

describe("a person who has an account", () => {
  test("accepts signed in; until then the partner sees what it typed and gets no link that sets a password", async () => {
    const member = await makeMember(theirs);
    await addPasskey(member);

    const { body } = await invite(ours, { role: "support" });

    expect(body).toMatchObject({ link: null, emailed: false });
    expect(body.id).not.toBe(member.id);
    expect(await listed(ours)).toMatchObject({
      id: body.id,
      name: "Typed",
      role: "support",
      is_invited: true,
      last_sign_in_at: null,
      has_passkey: false,
      can_reset: false,
    });
    expect(await openLink(body.accept_link, INTRUDERS)).toBe(409);
    expect((await accept(member, body.id)).status).toBe(204);
    expect(await partnersOf()).toEqual(both());
    expect(await listed(ours)).toMatchObject({ id: member.id, name: "Real Name", has_passkey: true });
    expect((await accept(member, body.id)).status).toBe(404);
  });

  test("accepts two partners' invitations at once", async () => {
    const member = await makeMember(theirs);
    const third = await createTeam();
    const invited = [await invite(ours), await invite(third)];

    const statuses = await Promise.all(
      invited.map(async ({ body }) => (await accept(member, body.id)).status),
    );

    expect(statuses).toEqual([204, 204]);
    expect(await partnersOf()).toHaveLength(3);
  });

  test("can decline, and no other person can accept or decline for them", async () => {
    const member = await makeMember(theirs);
    const { body } = await invite(ours);

    expect((await accept(theirs.admin, body.id)).status).toBe(404);
    expect((await decline(theirs.admin, body.id)).status).toBe(404);
    expect((await decline(member, body.id)).status).toBe(204);

    expect(await listed(ours)).toBeUndefined();
    expect((await accept(member, body.id)).status).toBe(404);
    expect(await partnersOf()).toEqual([theirs.account.ref.partnerId]);
  });

  test("can't accept an invitation that was canceled or has expired", async () => {
    const member = await makeMember(theirs);
    const { body } = await invite(ours);
    await sql.runText({
      text: "update invitations set expires_at = now() - interval '1 day' where email = $1",
      values: [email],
    });
    expect(await listed(ours)).toMatchObject({ invitation: { is_expired: true } });
    expect((await accept(member, body.id)).status).toBe(404);

    await resend(ours, body.id);
    await remove(ours, body.id);

    expect((await accept(member, body.id)).status).toBe(404);
  });

  test("gets no link either as an operator of the instance", async () => {
    await makeMember(theirs);
    await setOperator(email, true);

    const { body } = await invite(ours);

    expect(body.link).toBeNull();
    expect(await openLink(body.accept_link, INTRUDERS)).toBe(409);
    expect(await outcomeOf(PASSWORD)).toBe("signed_in");
  });
});

describe("a pre-hijacked address", () => {
  test("with a password, a passkey, a session and a link starts from nothing when another partner invites it", async () => {
    const first = await invite(ours);
    await openLink(first.body.link, INTRUDERS);
    const intruder = await personIn(ours);
    const { device } = await addPasskey(intruder);
    const again = await ours.admin.call(passwordReset.POST, {
      method: "POST",
      params: { userId: first.body.id },
    });
    await openLink(again.body.link, INTRUDERS);
    const { device: second } = await addPasskey(await personIn(ours));
    await remove(ours, first.body.id);
    const open = await personIn(ours);

    const { body } = await invite(theirs);
    expect((await accept(open, body.id)).status).toBe(403);
    expect(await openLink(body.link, PASSWORD)).toBe(200);

    expect([await outcomeOf(INTRUDERS), await outcomeOf(PASSWORD)]).toEqual(["refused", "signed_in"]);
    expect((await signInWith(device)).outcome).toBe("unknown");
    expect((await signInWith(second)).outcome).toBe("unknown");
    const cookies = parseCookies(open.cookie);
    expect(await findSession((name) => cookies.get(name))).toBeNull();
  });

  test("starts from nothing when the operator adds it to a partner", async () => {
    const first = await invite(ours);
    await openLink(first.body.link, INTRUDERS);
    await remove(ours, first.body.id);

    const { link } = await createUser({
      partnerId: theirs.account.ref.partnerId,
      email,
      name: "Ada",
      role: "admin",
    });

    expect(link).not.toBeNull();
    expect(await outcomeOf(INTRUDERS)).toBe("refused");
  });

  test("that the intruder keeps as a member starts from nothing when the operator adds it to another partner", async () => {
    const first = await invite(ours);
    await openLink(first.body.link, INTRUDERS);
    const { device } = await addPasskey(await personIn(ours));
    const person = { email, name: "Ada", role: "admin" } as const;
    expect((await createUser({ ...person, partnerId: ours.account.ref.partnerId })).link).toBeNull();

    const { link } = await createUser({ ...person, partnerId: theirs.account.ref.partnerId });

    expect(await outcomeOf(INTRUDERS)).toBe("refused");
    expect((await signInWith(device)).outcome).toBe("unknown");
    expect(await openLink(link?.token ?? "", PASSWORD)).toBe(200);
    expect(await partnersOf()).toEqual(both());
  });

  test("that the intruder keeps as a member accepts no other partner's invitation without that partner's link", async () => {
    const first = await invite(ours);
    await openLink(first.body.link, INTRUDERS);
    const intruder = await personIn(ours);
    const { body } = await invite(theirs, { role: "admin" });

    const cookies = parseCookies(intruder.cookie);
    const session = await findSession((name) => cookies.get(name));
    expect(session && (await listOwnInvitations(session))).toEqual([]);
    expect((await accept(intruder, body.id)).status).toBe(403);
    expect((await accept(intruder, body.id, tokenOf(first.body.link))).status).toBe(403);
    expect(await partnersOf()).toEqual([ours.account.ref.partnerId]);
    expect((await accept(intruder, body.id, tokenOf(body.accept_link))).status).toBe(204);
  });

  test("a link that an admin was shown no longer sets a password after the person joined another partner", async () => {
    const member = await makeMember(ours);
    const { body } = await ours.admin.call(passwordReset.POST, {
      method: "POST",
      params: { userId: member.id },
    });
    await createUser({ partnerId: theirs.account.ref.partnerId, email, name: "Ada", role: "admin" });

    expect(await openLink(body.link, INTRUDERS)).toBe(404);
  });

  test("a reset and an acceptance at once never give the admin a link into the other partner", async () => {
    const member = await makeMember(ours);
    const { body } = await invite(theirs, { role: "admin" });
    const session = {
      id: member.id,
      user: { id: member.id, email },
      method: "password",
    } as unknown as Parameters<typeof acceptSignedIn>[0];

    const [reset] = await Promise.all([
      ours.admin.call(passwordReset.POST, { method: "POST", params: { userId: member.id } }),
      acceptSignedIn(session, body.id),
    ]);

    expect(await partnersOf()).toEqual(both());
    if (reset.status === 201) expect(await openLink(reset.body.link, INTRUDERS)).toBe(404);
    else expect(reset.status).toBe(403);
  });
});

test("a link that was canceled while it was used leaves no user behind", async () => {
  const { body } = await invite(ours);
  let opening: Promise<number> | undefined;
  await transaction(async (tx) => {
    await lockMembers(tx, ours.account.ref.partnerId);
    opening = openLink(body.link, PASSWORD);
    await untilLocked();
    await tx.runText({ text: "delete from invitations where id = $1", values: [body.id] });
  });

  expect(await opening).toBe(404);
  expect(await prisma().user.count({ where: { email } })).toBe(0);
});

test("links that no one was sent must wait after many, and one that works does not", async () => {
  const { body } = await invite(ours);
  expect(await openLink("no such link", PASSWORD)).toBe(404);
  await sql.runText({
    text: "update sign_in_throttles set failures = 60, locked_until = now() + interval '1 minute' where key = $1",
    values: [linkThrottle(null).key],
  });

  expect(await openLink("no such link", PASSWORD)).toBe(429);
  expect(await openLink(body.link, PASSWORD)).toBe(200);
});

test("links take turns with sign-ins", async () => {
  const { promise: signedIn, resolve: endSignIns } = Promise.withResolvers<void>();
  const signIns = Array.from({ length: HASH_CONCURRENCY }, () => inAttemptSlot(() => signedIn));
  const order: string[] = [];
  const opening = openLink("no such link", PASSWORD).then(() => order.push("link"));
  // Longer than an attempt that does not wait.
  for (let count = 0; count < 50; count++) await sql.runText({ text: "select pg_sleep(0.005)" });
  order.push("sign-ins");
  endSignIns();
  await Promise.all([opening, ...signIns]);

  expect(order).toEqual(["sign-ins", "link"]);
});

test("a partner that invites steadily never waits, and invitations that came at once are forgotten", async () => {
  const throttles = invitationThrottles("a partner", email).slice(0, 1);
  const claim = (minute: number) =>
    transaction((tx) => claimAttempt(tx, throttles, new Date(Date.UTC(2026, 0, 1) + minute * 60_000)));
  for (let count = 0; count < 99; count++) expect(await claim(0)).toBe(0);
  expect(await claim(0)).toBe(0);
  expect(await claim(0)).toBeGreaterThan(0);

  // 90 an hour, and never an hour without one.
  for (let count = 0; count < 180; count++) expect(await claim(6 + count / 1.5)).toBe(0);
});

test("invitations of one person must wait after a few, and those of another partner do not", async () => {
  const { body } = await invite(ours);
  const statuses = [];
  for (let at = 0; at < 6; at++) statuses.push((await resend(ours, body.id)).status);

  expect(statuses).toEqual([201, 201, 201, 201, 429, 429]);
  expect((await invite(theirs)).status).toBe(201);
});
