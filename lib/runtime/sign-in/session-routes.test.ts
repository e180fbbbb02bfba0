import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import * as accountRoute from "@/app/api/session/account/route";
import * as session from "@/app/api/session/route";
import * as welcome from "@/app/api/welcome/route";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { createUser } from "@/lib/identity/people/create-user";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { createSignInLink } from "@/lib/identity/users/sign-in-link";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { dashboardUrl } from "@/lib/platform/env";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const PASSWORD = "correct horse battery";
const ORIGIN = new URL(dashboardUrl()).origin;
let account: TestAccount;
let counter = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

function signOut(user: Pick<DashboardUser, "cookie">, headers: Record<string, string> = { origin: ORIGIN }) {
  const request = new Request(`${ORIGIN}/api/session`, {
    method: "DELETE",
    headers: { cookie: user.cookie, ...headers },
  });
  return session.DELETE(request, { params: Promise.resolve({}) });
}

function switchTo(user: DashboardUser, account_id: string) {
  return user.call(accountRoute.PUT, { method: "PUT", body: { account_id } });
}

async function setPassword(body: object) {
  const request = new Request(`${ORIGIN}/api/welcome`, { method: "POST", body: JSON.stringify(body) });
  const answer = await welcome.POST(request, { params: Promise.resolve({}) });
  return { status: answer.status, body: await answer.json() };
}

/** Invites a person to the partner. The one-time link is unused. */
async function invite() {
  const email = `new${++counter}@example.com`;
  const { userId } = await createUser({
    partnerId: account.ref.partnerId,
    email,
    name: "New",
    role: "viewer",
  });
  return { email, ...(await transaction((tx) => createSignInLink(tx, userId, { isProof: true }))) };
}

async function events(type: string) {
  return prisma().event.count({ where: { accountId: account.ref.id, type } });
}

test("signing out ends the session, removes its cookie and emits the event", async () => {
  const user = await signInAs(account, "viewer");
  const before = await events("team_member.signed_out");

  const answer = await signOut(user);

  expect(answer.status).toBe(204);
  expect(answer.headers.get("set-cookie")).toMatch(/^trunkline_session=; Max-Age=0; Path=\/;.* HttpOnly/);
  expect((await user.call(session.GET)).status).toBe(401);
  expect(await events("team_member.signed_out")).toBe(before + 1);
});

test("a person without an account signs out too, and so does a browser whose session has ended", async () => {
  const user = await signInAs(account, "viewer");
  await sql.runText({ text: "delete from memberships where user_id = $1", values: [user.id] });
  expect((await user.call(session.GET)).status).toBe(403);

  expect((await signOut(user)).status).toBe(204);
  expect(await prisma().session.count({ where: { userId: user.id } })).toBe(0);
  expect((await signOut(user)).status).toBe(204);
});

test.each<Record<string, string>>([{}, { origin: "https://elsewhere.example" }])(
  "another site cannot sign a user out: %j",
  async (headers) => {
    const user = await signInAs(account, "viewer");
    expect((await signOut(user, headers)).status).toBe(403);
    expect((await user.call(session.GET)).status).toBe(200);
  },
);

test("the dashboard shows the account that was switched to, and none of other partners", async () => {
  const user = await signInAs(account, "viewer");
  const second = await createAccount(account.ref.partnerId, "live", "production");
  const foreign = await createTestAccount({ type: "production" });

  const switched = await switchTo(user, second.id);
  expect(switched.status).toBe(204);
  expect(switched.headers.get("set-cookie")).toMatch(
    new RegExp(`^trunkline_account=${second.id}; Max-Age=31536000; Path=/;.* HttpOnly`),
  );

  const refused = await switchTo(user, foreign.ref.id);
  expect([refused.status, refused.body.error.code]).toEqual([403, 2005]);
  expect(refused.headers.get("set-cookie")).toBeNull();
});

test("a one-time link sets a password once; the person signs in with it", async () => {
  const { token, email } = await invite();

  expect(await setPassword({ token, password: PASSWORD })).toEqual({ status: 200, body: { email } });
  expect((await signIn(email, PASSWORD, {})).outcome).toBe("signed_in");

  const again = await setPassword({ token, password: "another horse battery" });
  expect([again.status, again.body.error.code]).toEqual([404, 1005]);
  expect(again.body.error.message).toContain("This link has expired or was already used");
});

test("a password that is too short leaves the link unused", async () => {
  const { token } = await invite();
  const refused = await setPassword({ token, password: "short" });
  expect([refused.status, refused.body.error.code]).toEqual([400, 1005]);
  expect(refused.body.error.message).toContain("at least 12 characters");
  expect((await setPassword({ token, password: PASSWORD })).status).toBe(200);
});
