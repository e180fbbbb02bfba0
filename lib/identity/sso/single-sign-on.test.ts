import "@/lib/testing/use-test-database";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import * as logoutRoute from "@/app/api/backchannel-logout/route";
import * as passwordReset from "@/app/api/people/[userId]/password-reset/route";
import * as person from "@/app/api/people/[userId]/route";
import * as groups from "@/app/api/people/groups/route";
import * as people from "@/app/api/people/route";
import * as rules from "@/app/api/people/sign-in-rules/route";
import * as session from "@/app/api/session/route";
import * as tokens from "@/app/api/tokens/route";
import { setPasswordByLink } from "@/lib/identity/passwords/set-password";
import {
  acceptSignedIn,
  acceptWithPassword,
  listOwnInvitations,
} from "@/lib/identity/people/accept-invitation";
import { createUser } from "@/lib/identity/people/create-user";
import { setOperator } from "@/lib/identity/people/set-operator";
import { setSignInRules } from "@/lib/identity/people/sign-in-rules";
import { findSession } from "@/lib/identity/sessions/find-session";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { recheckSsoSessions } from "@/lib/identity/sso/recheck-sso-sessions";
import { unlinkIdentities } from "@/lib/identity/sso/user-identity";
import { lockMembers } from "@/lib/identity/users/membership";
import { systemPartnerChange } from "@/lib/identity/users/partner-change";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { authOptions } from "@/lib/runtime/sign-in/auth-options";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { type AuthBrowser, newAuthBrowser } from "@/lib/testing/sign-in/auth-browser";
import {
  type ProviderAnswer,
  startOidcProvider,
  type TestOidcProvider,
} from "@/lib/testing/sign-in/oidc-provider";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const DASHBOARD = "http://localhost:3000";
const PASSWORD = "correct horse battery";
const NOT_STOPPED = new AbortController().signal;
let provider: TestOidcProvider;
let client: Server;
const logoutStatuses: number[] = [];
let account: TestAccount;
let admin: DashboardUser;
let email: string;
let counter = 0;

beforeAll(async () => {
  client = createServer(async (request, response) => {
    const body = await text(request);
    const answer = await postLogout(body);
    logoutStatuses.push(answer.status);
    response.writeHead(answer.status).end();
  });
  await new Promise<void>((resolve) => client.listen(0, "127.0.0.1", resolve));
  provider = await startOidcProvider({
    clientId: "console",
    clientSecret: "client secret",
    redirectUri: `${DASHBOARD}/api/auth/callback/oidc`,
    logoutUri: `http://127.0.0.1:${(client.address() as AddressInfo).port}/`,
  });
  process.env.DASHBOARD_URL = DASHBOARD;
  process.env.NEXTAUTH_URL = DASHBOARD;
  process.env.OIDC_ISSUER = provider.url;
  process.env.OIDC_CLIENT_ID = "console";
  process.env.OIDC_CLIENT_SECRET = "client secret";
  process.env.OIDC_NAME = "Okta";
  process.env.OIDC_SCOPE = "openid email profile groups offline_access";
});

afterAll(async () => {
  await provider.close();
  await new Promise((resolve) => client.close(resolve));
});

beforeEach(async () => {
  provider.edit(null);
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  email = `person${++counter}@example.com`;
});

function postLogout(body: string): Promise<Response> {
  const request = new Request(`${DASHBOARD}/api/backchannel-logout`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  return logoutRoute.POST(request, { params: Promise.resolve({}) });
}

/** A name that no other test maps. */
function groupOf(name: string): string {
  return `${name} of ${account.ref.partnerId}`;
}

function mapGroup(group: string, role: string, by = admin) {
  return by.call(groups.PUT, { method: "PUT", body: { group, role } });
}

/** Runs something while a user is an operator. */
async function asOperator<Result>(user: DashboardUser, run: () => Promise<Result>): Promise<Result> {
  const { email: address } = await prisma().user.findUniqueOrThrow({ where: { id: user.id } });
  await setOperator(address, true);
  try {
    return await run();
  } finally {
    await setOperator(address, false);
  }
}

/** Signs in with the provider. Returns the browser and the path of the last redirect. */
async function signOn(
  subject: string,
  names: string[] = [],
  claims: Record<string, unknown> = {},
): Promise<{ browser: AuthBrowser; path: string; user: () => ReturnType<typeof findSession> }> {
  provider.people.set(subject, { email, name: "Ada", groups: names, ...claims });
  const browser = newAuthBrowser((cookies) => authOptions({ cookie: (name) => cookies[name] }));
  const { csrfToken = "" } = (await browser.get(["csrf"])).body;
  const asked = await browser.post(["signin", "oidc"], { csrfToken });
  const query = await provider.authorize(new URL(asked.location), subject);
  const { location } = await browser.get(["callback", "oidc"], query);
  const { pathname, search } = new URL(location, DASHBOARD);
  return { browser, path: pathname + search, user: () => findSession((name) => browser.cookies[name]) };
}

// The column rounds to milliseconds, so that the present could lie in the future.
async function makeDue(): Promise<void> {
  const text =
    "update sso_sessions set next_check_at = now() - interval '1 second' where next_check_at is not null";
  await sql.query({ text });
}

async function recheckNow(): Promise<number> {
  await makeDue();
  return recheckSsoSessions(NOT_STOPPED);
}

async function auditsOf(userId: string): Promise<[string, unknown][]> {
  const entries = await prisma().auditEntry.findMany({ where: { objectId: userId }, orderBy: { id: "asc" } });
  return entries.map(({ action, detail }) => [action, detail]);
}

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
  const [row] = await sql.query<{ is_soon: boolean }>({
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
  await sql.query({ text: "update sessions set method = 'oidc' where user_id = $1", values: [admin.id] });
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
  email = `renamed${++counter}@example.com`;
  const renamed = await signOn("ada-of-before");
  expect((await renamed.user())?.user.email).toBe(shared);
  email = shared;
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
    await tx.query({ text: "select from users where email = $1 for update", values: [email] });
  });

  expect((await signingOn)?.path).toBe("/");
});

test("two first sign-ons of a person at once both succeed", async () => {
  await mapGroup(groupOf("agents"), "support");
  provider.people.set("hasty", { email, name: "Ada", groups: [groupOf("agents")] });

  const paths = await Promise.all([1, 2].map(async () => (await signOn("hasty", [groupOf("agents")])).path));

  expect(paths).toEqual(["/", "/"]);
});

test.each<[string, Record<string, unknown>]>([
  [
    "the provider keeps elsewhere",
    { groups: undefined, _claim_names: { groups: "src1" }, _claim_sources: {} },
  ],
  ["the provider only says to exist", { groups: undefined, hasgroups: true }],
  ["have another shape", { groups: [{ id: "1" }] }],
])("memberships and sessions stay when the groups of a person %s", async (_, overage) => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("overage", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";
  const shape = { email, name: "Ada", ...overage } as unknown as {
    email: string;
    name: string;
    groups: string[];
  };

  provider.people.set("overage", shape);
  await recheckNow();
  expect((await user())?.account?.role).toBe("admin");
  const again = await signOn("overage", shape.groups, overage);

  expect(again.path).toBe("/");
  expect(await prisma().membership.count({ where: { userId } })).toBe(1);
  await transaction((tx) => unlinkIdentities(tx, userId));
});

interface PartOfBody {
  id_token?: string;
  access_token?: string;
  groups?: unknown;
}

/** Removes the ID token from answers of the token endpoint, and changes those of the user information. */
function withoutIdToken(change: (answer: ProviderAnswer & { body: PartOfBody }) => unknown) {
  provider.edit((answer) => {
    const body = { ...(answer.body as object) } as PartOfBody;
    answer.body = body;
    if (answer.endpoint === "token") delete body.id_token;
    if (answer.endpoint === "userinfo") change(answer as ProviderAnswer & { body: PartOfBody });
  });
}

test.each<[string, (answer: ProviderAnswer & { body: PartOfBody }) => unknown]>([
  ["names no groups", ({ body }) => delete body.groups],
  ["names null as the groups", ({ body }) => Object.assign(body, { groups: null })],
  ["keeps the groups elsewhere", ({ body }) => Object.assign(body, { groups: undefined, hasgroups: "true" })],
  ["names groups of another shape", ({ body }) => Object.assign(body, { groups: { id: 1 } })],
  ["is about another person", ({ body }) => Object.assign(body, { sub: "another", groups: [] })],
  ["answers null", (answer) => Object.assign(answer, { body: "null" })],
  ["answers with a page", (answer) => Object.assign(answer, { body: "<!doctype html><p>Maintenance</p>" })],
  [
    "answers 401 with an error",
    (answer) => Object.assign(answer, { status: 401, body: { error: "invalid_token" } }),
  ],
  ["answers 403 with a page", (answer) => Object.assign(answer, { status: 403, body: "<p>Forbidden</p>" })],
  ["answers 429", (answer) => Object.assign(answer, { status: 429, body: "" })],
  ["answers 503", (answer) => Object.assign(answer, { status: 503, body: "" })],
])("a refresh without an ID token changes nothing when the user information %s", async (_, change) => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("kept", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  withoutIdToken(change);
  await recheckNow();
  expect((await user())?.account?.role).toBe("admin");
  // The provider has rotated the refresh token.
  provider.edit(null);
  await recheckNow();

  expect((await user())?.account?.role).toBe("admin");
  await transaction((tx) => unlinkIdentities(tx, userId));
});

test.each<[string, unknown, string | undefined]>([
  ["an empty list", () => [], undefined],
  ["another group", () => ["unmapped"], undefined],
  ["the group as a text", () => groupOf("admins"), "admin"],
])("a refresh without an ID token applies groups of the user information: %s", async (_, groups, role) => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("applied", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  withoutIdToken(({ body }) => Object.assign(body, { groups: (groups as () => unknown)() }));
  await recheckNow();

  expect((await user())?.account?.role).toBe(role);
  expect(await prisma().membership.count({ where: { userId } })).toBe(role === undefined ? 0 : 1);
  await transaction((tx) => unlinkIdentities(tx, userId));
});

test("a refresh with an ID token ends the role of a person whose claim is in neither answer", async () => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("last", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  provider.edit(({ endpoint, body }) => endpoint === "userinfo" && delete (body as PartOfBody).groups);
  await recheckNow();

  expect(await user()).toBeNull();
  expect(await prisma().membership.count({ where: { userId } })).toBe(0);
});

test.each<[string, (answer: ProviderAnswer & { body: PartOfBody }) => unknown]>([
  [
    "the user information is refused",
    (answer) => answer.endpoint === "userinfo" && Object.assign(answer, { status: 403, body: "" }),
  ],
  ["there is no access token", ({ endpoint, body }) => endpoint === "token" && delete body.access_token],
])("a refresh with an ID token without the claim changes nothing when %s", async (_, change) => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("partial", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  provider.edit((answer) => {
    answer.body = typeof answer.body === "object" ? { ...answer.body } : answer.body;
    change(answer as ProviderAnswer & { body: PartOfBody });
  });
  await recheckNow();

  expect((await user())?.account?.role).toBe("admin");
  await transaction((tx) => unlinkIdentities(tx, userId));
});

test("a session stays after a refresh whose ID token can't be verified, because the rotated token is kept", async () => {
  await mapGroup(groupOf("agents"), "support");
  const { user } = await signOn("unverified", [groupOf("agents")]);

  provider.edit(({ endpoint, body }) => {
    const part = body as PartOfBody;
    if (endpoint === "token") part.id_token = part.id_token?.replace(/[^.]+$/, "AAAA");
  });
  await recheckNow();
  expect((await user())?.account?.role).toBe("support");
  provider.edit(null);
  await recheckNow();

  expect((await user())?.account?.role).toBe("support");
});

test.each<[string, number, unknown, boolean]>([
  ["that the token is revoked", 400, { error: "invalid_grant" }, false],
  ["that the person must sign in again", 400, { error: "interaction_required" }, false],
  ["that the client's secret is another one", 401, { error: "invalid_client" }, true],
  ["that there are too many requests", 429, "", true],
  ["a page of its firewall", 403, "<p>Forbidden</p>", true],
  ["that it is unavailable", 400, { error: "temporarily_unavailable" }, true],
  ["200 without tokens", 200, {}, true],
])(
  "when the provider answers %s to a refresh, a session ends only for the person's own reason",
  async (_, status, body, stays) => {
    await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
    const { user } = await signOn("refreshed");
    const userId = (await user())?.user.id ?? "";

    provider.edit((answer) => answer.endpoint === "token" && Object.assign(answer, { status, body }));
    await recheckNow();

    expect((await user()) !== null).toBe(stays);
    await transaction((tx) => unlinkIdentities(tx, userId));
  },
);

test("a sign-on without the claim is a sign-on without groups, because a browser can leave a scope out", async () => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("unscoped", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  provider.edit(({ endpoint, body }) => endpoint === "userinfo" && delete (body as PartOfBody).groups);
  await signOn("unscoped", [groupOf("admins")]);

  expect(await prisma().membership.count({ where: { userId } })).toBe(0);
});

test("one group that comes as a text is a group", async () => {
  await mapGroup(groupOf("agents"), "support");
  const { user } = await signOn("single", groupOf("agents") as unknown as string[]);

  expect((await user())?.account?.role).toBe("support");
});

test("an invited person without an account signs in, accepts, and until then belongs to no partner", async () => {
  const body = { email, name: "Typed", role: "developer" };
  const invited = await admin.call(people.POST, { method: "POST", body });
  const { user, path } = await signOn("invited-by-page");
  expect(path).toBe("/");
  const session = await user();
  expect(session?.account).toBeNull();
  expect(session && (await listOwnInvitations(session))).toMatchObject([{ id: invited.body.id }]);

  if (session) await acceptSignedIn(session, invited.body.id);

  expect((await user())?.account?.role).toBe("developer");
});

test("the owner of a pre-hijacked address starts from nothing with single sign-on", async () => {
  const invite = () =>
    admin.call(people.POST, { method: "POST", body: { email, name: "Typed", role: "viewer" } });
  const { body } = await invite();
  expect(await acceptWithPassword(body.link.url.split("/").at(-1), "the intruder's password")).toBe(email);
  await admin.call(person.DELETE, { method: "DELETE", params: { userId: body.id } });
  await mapGroup(groupOf("agents"), "admin");

  const { user } = await signOn("owner", [groupOf("agents")]);

  expect((await user())?.account?.role).toBe("admin");
  expect(await signIn(email, "the intruder's password")).toEqual({ outcome: "refused" });
});

test("a password that an admin could set ends when single sign-on adds another partner", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const otherAdmin = await signInAs(other, "admin");
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const first = await signOn("two-partners");
  const userId = (await first.user())?.user.id ?? "";
  const params = { userId };
  const reset = await admin.call(passwordReset.POST, { method: "POST", params });
  expect(await setPasswordByLink(reset.body.link.url.split("/").at(-1), "the admin's password")).toBe(email);
  await mapGroup(groupOf("agents"), "admin", otherAdmin);

  await signOn("two-partners", [groupOf("agents")]);

  expect(await prisma().membership.count({ where: { userId } })).toBe(2);
  expect(await signIn(email, "the admin's password")).toEqual({ outcome: "refused" });
});

test("a password that an admin could set after the first sign-on ends with the next, and opens no other partner", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const otherAdmin = await signInAs(other, "admin");
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const userId = (await (await signOn("reset-later")).user())?.user.id ?? "";
  const reset = await admin.call(passwordReset.POST, { method: "POST", params: { userId } });
  expect(await setPasswordByLink(reset.body.link.url.split("/").at(-1), "the admin's password")).toBe(email);
  const body = { email, name: "Typed", role: "admin" };
  const invited = await otherAdmin.call(people.POST, { method: "POST", body });

  const session = await (await signOn("reset-later")).user();
  if (session) await acceptSignedIn(session, invited.body.id);

  expect(await prisma().membership.count({ where: { userId } })).toBe(2);
  expect(await signIn(email, "the admin's password")).toEqual({ outcome: "refused" });
});

test("a sign-on with another role opens the partner at once, also of a person of two partners", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  await mapGroup(groupOf("agents"), "support");
  await mapGroup(groupOf("admins"), "admin");
  const first = await signOn("promoted", [groupOf("agents")]);
  await createUser({ partnerId: other.ref.partnerId, email, name: "Ada", role: "viewer" });

  const { user } = await signOn("promoted", [groupOf("admins")]);

  expect((await user())?.account).toMatchObject({ role: "admin", lacks: null });
  expect((await first.user())?.account).toMatchObject({ role: "admin", lacks: "sign_in" });
});

test("a person who was removed starts from nothing with single sign-on, and keeps that session", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const otherAdmin = await signInAs(other, "admin");
  const { link, userId } = await createUser({
    partnerId: account.ref.partnerId,
    email,
    name: "Ada",
    role: "viewer",
  });
  await setPasswordByLink(link?.token ?? "", PASSWORD);
  await signOn("removed");
  await admin.call(person.DELETE, { method: "DELETE", params: { userId } });
  const body = { email, name: "Typed", role: "viewer" };
  const invited = await otherAdmin.call(people.POST, { method: "POST", body });
  const { user } = await signOn("removed");
  const session = await user();

  if (session) await acceptSignedIn(session, invited.body.id);

  expect((await user())?.accounts.map(({ id }) => id)).toEqual([other.ref.id]);
  expect(await signIn(email, PASSWORD)).toEqual({ outcome: "refused" });
});
