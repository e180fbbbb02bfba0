import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import * as logoutRoute from "@/app/api/backchannel-logout/route";
import * as person from "@/app/api/people/[userId]/route";
import * as groups from "@/app/api/people/groups/route";
import * as people from "@/app/api/people/route";
import * as rules from "@/app/api/people/sign-in-rules/route";
import * as session from "@/app/api/session/route";
import * as tokens from "@/app/api/tokens/route";
import { setPasswordByLink } from "@/lib/identity/passwords/set-password";
import { createUser } from "@/lib/identity/people/create-user";
import { setOperator } from "@/lib/identity/people/set-operator";
import { setSignInRules } from "@/lib/identity/people/sign-in-rules";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { recheckSsoSessions } from "@/lib/identity/sso/recheck-sso-sessions";
import { unlinkIdentities } from "@/lib/identity/sso/user-identity";
import { lockMembers } from "@/lib/identity/users/membership";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import {
  account,
  admin,
  asOperator,
  auditsOf,
  email,
  groupOf,
  logoutStatuses,
  makeDue,
  mapGroup,
  NOT_STOPPED,
  PASSWORD,
  postLogout,
  provider,
  recheckNow,
  setEmail,
  signOn,
  singleSignOnBench,
} from "@/lib/testing/sign-in/single-sign-on-bench";

singleSignOnBench({ logout: logoutRoute.POST, setGroup: groups.PUT });

test("a person without an invitation gets the most privileged role of their groups, in each partner", async () => {
  const other = await createTestAccount({ type: "production" });
  const otherAdmin = await signInAs(other, "admin");
  await mapGroup(groupOf("agents"), "support");
  await mapGroup(groupOf("developers"), "developer");
  await asOperator(otherAdmin, () => mapGroup(groupOf("agents"), "viewer", otherAdmin));

  const { path, user } = await signOn("new", [groupOf("agents"), groupOf("developers")]);

  expect(path).toBe("/");
  const signedIn = await user();
  expect(signedIn?.accounts.map(({ id, role }) => [id, role]).sort()).toEqual(
    [
      [account.ref.id, "developer"],
      [other.ref.id, "viewer"],
    ].sort(),
  );
  expect((await auditsOf(signedIn?.user.id ?? "")).slice(0, 2)).toMatchObject([
    ["user.identity_linked", {}],
    ["user.invited", { email }],
  ]);
  const { body } = await admin.call(people.GET);
  expect(body.people.find((listed: { email: string }) => listed.email === email)).toMatchObject({
    name: "Ada",
    role: "developer",
    from_group: true,
  });
});

test("a group belongs to the first partner that lists it, also of two at once; only an operator shares it", async () => {
  const other = await createTestAccount({ type: "production" });
  const otherAdmin = await signInAs(other, "admin");
  const statuses = await Promise.all(
    [admin, otherAdmin].map(async (by) => (await mapGroup(groupOf("staff"), "viewer", by)).status),
  );
  expect(statuses.toSorted()).toEqual([204, 409]);
  const [first, second] = statuses[0] === 204 ? [admin, otherAdmin] : [otherAdmin, admin];

  expect((await mapGroup(groupOf("staff"), "admin", second)).body.error).toMatchObject({
    code: 2015,
    message: expect.stringContaining("another partner"),
  });
  expect((await mapGroup(groupOf("staff"), "support", first)).status).toBe(204);
  expect((await asOperator(second, () => mapGroup(groupOf("staff"), "viewer", second))).status).toBe(204);
  expect((await mapGroup(groupOf("staff"), "support", second)).status).toBe(204);
});

test("a person without a mapped group is as unknown as before, and an invited one keeps the role", async () => {
  expect((await signOn("stranger", ["unmapped"])).path).toBe("/sign-in?error=unknown");

  await mapGroup(groupOf("agents"), "admin");
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const { user } = await signOn("invited", [groupOf("agents")]);

  expect((await user())?.account?.role).toBe("viewer");
});

test("at the next check a left group ends the session and the access, and another role ends the session", async () => {
  await mapGroup(groupOf("agents"), "support");
  await mapGroup(groupOf("developers"), "developer");
  const { user } = await signOn("leaver", [groupOf("agents")]);
  const userId = (await user())?.user.id ?? "";
  expect(await recheckNow()).toBeGreaterThan(0);
  expect((await user())?.account?.role).toBe("support");

  provider.people.set("leaver", { email, name: "Ada", groups: [groupOf("developers")] });
  await recheckNow();
  expect(await user()).toBeNull();
  const again = await signOn("leaver", [groupOf("developers")]);
  expect((await again.user())?.account?.role).toBe("developer");

  provider.people.set("leaver", { email, name: "Ada", groups: [] });
  await recheckNow();

  expect(await again.user()).toBeNull();
  expect(await prisma().membership.count({ where: { userId } })).toBe(0);
  expect((await auditsOf(userId)).at(-1)).toEqual([
    "user.removed",
    { email, role: "developer", reason: "left_group" },
  ]);
});

test("refresh tokens are rotated at each check, and stored sealed", async () => {
  await mapGroup(groupOf("agents"), "support");
  const { user } = await signOn("rotated", [groupOf("agents")]);
  const sealed = async () => {
    const row = await prisma().ssoSession.findUniqueOrThrow({
      where: { sessionId: (await user())?.id ?? "" },
    });
    return Buffer.from(row.refreshToken ?? []).toString("latin1");
  };
  const [first] = [await sealed()];
  for (let n = 0; n < 3; n++) await recheckNow();

  expect(await sealed()).not.toBe(first);
  expect(await user()).not.toBeNull();
});

test("two checks at once refresh a token once", async () => {
  await mapGroup(groupOf("agents"), "support");
  const { user } = await signOn("raced", [groupOf("agents")]);
  await makeDue();

  await Promise.all([recheckSsoSessions(NOT_STOPPED), recheckSsoSessions(NOT_STOPPED)]);
  await recheckNow();

  expect(await user()).not.toBeNull();
});

test("a person who was deleted at the provider is signed out at the next check, also an invited one", async () => {
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const { user } = await signOn("deleted");
  const userId = (await user())?.user.id ?? "";
  provider.people.delete("deleted");

  await recheckNow();

  expect(await user()).toBeNull();
  expect((await auditsOf(userId)).at(-1)).toMatchObject([
    "user.session_ended",
    { reason: "identity_provider" },
  ]);
});

test("while the provider does not respond, sessions stay and are checked again after a minute", async () => {
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const { user } = await signOn("patient");
  process.env.OIDC_ISSUER = "http://127.0.0.1:1";
  await recheckNow();
  process.env.OIDC_ISSUER = provider.url;

  const sessionId = (await user())?.id ?? "";
  const [row] = await sql.runText<{ is_soon: boolean }>({
    text: `select next_check_at between now() + interval '50 seconds' and now() + interval '1 minute' as is_soon
           from sso_sessions where session_id = $1`,
    values: [sessionId],
  });
  expect(row).toEqual({ is_soon: true });
});

test("a changed mapping is applied to people who are signed in at the next run of the job", async () => {
  await mapGroup(groupOf("agents"), "support");
  const { user } = await signOn("mapped", [groupOf("agents")]);

  await admin.call(groups.DELETE, { method: "DELETE", body: { group: groupOf("agents") } });
  await recheckSsoSessions(NOT_STOPPED);

  expect(await user()).toBeNull();
  const entries = await prisma().auditEntry.findMany({
    where: { partnerId: account.ref.partnerId, action: "partner.group_role_changed" },
    orderBy: { id: "asc" },
  });
  expect(entries.map(({ detail }) => detail)).toEqual([
    { group: groupOf("agents"), from: null, to: "support" },
    { group: groupOf("agents"), from: "support", to: null },
  ]);
});

test("an admin can neither remove a person of a group nor change the role", async () => {
  await mapGroup(groupOf("agents"), "support");
  const { user } = await signOn("managed", [groupOf("agents")]);
  const params = { userId: (await user())?.user.id ?? "" };

  const changed = await admin.call(person.PATCH, { method: "PATCH", params, body: { role: "admin" } });
  const removed = await admin.call(person.DELETE, { method: "DELETE", params });

  expect([changed.status, removed.status]).toEqual([409, 409]);
  expect((await user())?.account?.role).toBe("support");
});

test("a logout at the provider ends the browser's session, and no other", async () => {
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const [first, second] = [await signOn("leaving"), await signOn("leaving")];
  const found = await prisma().ssoSession.findUniqueOrThrow({
    where: { sessionId: (await first.user())?.id ?? "" },
  });

  await provider.logout("leaving", found.sid ?? "");

  expect(logoutStatuses.at(-1)).toBe(200);
  expect(await first.user()).toBeNull();
  expect(await second.user()).not.toBeNull();
});

test("a logout token that the provider did not sign, or none, ends no session", async () => {
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const { user } = await signOn("staying");
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.url, aud: "console", iat, sub: "staying", events, jti: "1" };
  const forged = `${part({ alg: "none" })}.${part(claims)}.`;

  for (const body of ["", "logout_token=", `logout_token=${forged}`]) {
    expect((await postLogout(body)).status).toBe(400);
  }
  expect(await user()).not.toBeNull();
});

test("where single sign-on is required, a right password is refused, and an operator's breaks the glass", async () => {
  const { link } = await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "admin" });
  await setPasswordByLink(link?.token ?? "", PASSWORD);
  const change = systemPartnerChange(account.ref.partnerId);
  await transaction((tx) => setSignInRules(tx, change, { requires_sso: true }));

  expect(await signIn(email, PASSWORD)).toEqual({ outcome: "sso_required" });
  expect(await signIn(email, "wrong")).toEqual({ outcome: "refused" });
  expect((await admin.call(tokens.GET)).body.error.message).toContain("single sign-on");
  const { user } = await signOn("ada");
  expect((await user())?.account).toMatchObject({ id: account.ref.id, lacks: null });

  await setOperator(email, true);
  const signedIn = await signIn(email, PASSWORD);
  expect(signedIn.outcome).toBe("signed_in");
  const userId = (await user())?.user.id ?? "";
  expect((await auditsOf(userId)).at(-1)).toEqual([
    "user.signed_in",
    { method: "password", break_glass: true },
  ]);
});

test("a password still opens the accounts of a partner that does not require single sign-on", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const { link } = await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  await setPasswordByLink(link?.token ?? "", PASSWORD);
  await createUser({ partnerId: other.ref.partnerId, email, name: "Ada", role: "viewer" });
  const change = systemPartnerChange(account.ref.partnerId);
  await transaction((tx) => setSignInRules(tx, change, { requires_sso: true }));

  const result = await signIn(email, PASSWORD);

  expect(result.outcome).toBe("signed_in");
});

test("only an admin who used single sign-on requires it, and then invitations have no link", async () => {
  const require = (by: DashboardUser) =>
    by.call(rules.PATCH, { method: "PATCH", body: { requires_sso: true } });
  expect(await require(admin)).toMatchObject({ status: 409 });
  await sql.runText({ text: "update sessions set method = 'oidc' where user_id = $1", values: [admin.id] });
  expect((await require(admin)).status).toBe(204);

  const invited = await admin.call(people.POST, {
    method: "POST",
    body: { email, name: "Grace", role: "viewer" },
  });

  expect(invited).toMatchObject({ status: 201, body: { link: null, signs_in_with: "Okta" } });
  expect((await admin.call(session.GET)).status).toBe(200);
});

test("a second account of the provider with the same address is refused, also after the first changed its address", async () => {
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const first = await signOn("ada-of-before");
  expect(await first.user()).not.toBeNull();

  expect((await signOn("ada-of-now")).path).toBe("/sign-in?error=linked");

  const shared = email;
  setEmail(`renamed.${shared}`);
  const renamed = await signOn("ada-of-before");
  expect((await renamed.user())?.user.email).toBe(shared);
  setEmail(shared);
  expect((await signOn("ada-of-now")).path).toBe("/sign-in?error=linked");
  await transaction(async (tx) => unlinkIdentities(tx, (await renamed.user())?.user.id ?? ""));
  expect((await signOn("ada-of-now")).path).toBe("/");
});

test("a sign-on that joins two partners locks both before the person, as admins do", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const otherAdmin = await signInAs(other, "admin");
  await mapGroup(groupOf("a"), "viewer");
  await mapGroup(groupOf("b"), "viewer", otherAdmin);
  await signOn("in-two", [groupOf("b")]);
  const partners = [account, other].map(({ ref }) => ref.partnerId).sort();
  let signingOn: Promise<{ path: string }> | undefined;

  // As an admin of the partner that is locked last.
  await transaction(async (tx) => {
    await lockMembers(tx, partners[1] ?? "");
    signingOn = signOn("in-two", [groupOf("a")]);
    await untilLocked();
    await tx.runText({ text: "select from users where email = $1 for update", values: [email] });
  });

  expect((await signingOn)?.path).toBe("/");
});

test("two first sign-ons of a person at once both succeed", async () => {
  await mapGroup(groupOf("agents"), "support");
  provider.people.set("hasty", { email, name: "Ada", groups: [groupOf("agents")] });

  const paths = await Promise.all([1, 2].map(async () => (await signOn("hasty", [groupOf("agents")])).path));

  expect(paths).toEqual(["/", "/"]);
});
