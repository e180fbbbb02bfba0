import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { verifyRegistration } from "@/lib/identity/passkeys/verify-passkey";
import { recordProof, setPassword, setPasswordByLink } from "@/lib/identity/passwords/set-password";
import { createUser } from "@/lib/identity/people/create-user";
import { findSession } from "@/lib/identity/sessions/find-session";
import { sessionCookie } from "@/lib/identity/sessions/session-token";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { NewPasskey } from "@/lib/platform/crypto/passkey-response";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { dashboardUrl } from "@/lib/platform/env";
import { answerProviderError } from "@/lib/runtime/sign-in/answer-provider-error";
import { authOptions } from "@/lib/runtime/sign-in/auth-options";
import { flowOf } from "@/lib/runtime/sign-in/sso-flow";
import { type AuthBrowser, newAuthBrowser } from "@/lib/testing/sign-in/auth-browser";
import { type Issuer, startIssuer } from "@/lib/testing/sign-in/oidc-issuer";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";
import { requestOf, signInChallenge } from "@/lib/testing/sign-in/use-dashboard-passkey";

const EMAIL = "ada@example.com";
const OPERATOR = "olga@example.com";
const PASSWORD = "correct horse battery";
let issuer: Issuer;
let userId: string;
let partner: { id: string };
let counter = 0;

beforeAll(async () => {
  issuer = await startIssuer("console", "client secret");
  process.env.OIDC_ISSUER = issuer.url;
  process.env.OIDC_CLIENT_ID = "console";
  process.env.OIDC_CLIENT_SECRET = "client secret";
  // Passkeys need localhost or HTTPS.
  process.env.DASHBOARD_URL = "http://localhost:3000";
  process.env.NEXTAUTH_URL = dashboardUrl();
  partner = await createPartner("Ours");
  // The first admin becomes an operator.
  await createUser({ partnerId: partner.id, email: OPERATOR, name: "Olga", role: "admin" });
  const created = await createUser({ partnerId: partner.id, email: EMAIL, name: "Ada", role: "admin" });
  userId = created.userId;
  await setPasswordByLink(created.link?.token ?? "", PASSWORD);
});

afterAll(() => issuer.close());

function newBrowser(): AuthBrowser {
  return newAuthBrowser((cookies) => authOptions({ cookie: (name) => cookies[name] }));
}

/** The live session of a browser's cookies; null when there is none. */
function session({ cookies }: AuthBrowser) {
  return findSession((name) => cookies[name]);
}

async function post(browser: AuthBrowser, path: string[], body = {}) {
  const { csrfToken = "" } = (await browser.get(["csrf"])).body;
  return browser.post(path, { ...body, csrfToken });
}

/** Signs in through single sign-on with these claims. Returns the URL of the last redirect. */
async function signOn(
  browser: AuthBrowser,
  claims: Record<string, unknown>,
  userInfo?: Record<string, unknown>,
): Promise<string> {
  const asked = await post(browser, ["signin", "oidc"]);
  const query = issuer.authorize(new URL(asked.location), { sub: "42", name: "Ada", ...claims }, userInfo);
  const { location } = await browser.get(["callback", "oidc"], query);
  const { pathname, search } = new URL(location, dashboardUrl());
  return pathname + search;
}

test("the right password opens a session of the user, which is a fresh proof of identity", async () => {
  const browser = newBrowser();

  await post(browser, ["callback", "credentials"], { email: EMAIL, password: PASSWORD });

  expect(await session(browser)).toMatchObject({ user: { id: userId }, hasFreshProof: true });
});

test("a cookie copied before the sign-out is refused after it, and is not renewed", async () => {
  const browser = newBrowser();
  await post(browser, ["callback", "credentials"], { email: EMAIL, password: PASSWORD });
  const copy = newBrowser();
  Object.assign(copy.cookies, browser.cookies);

  await post(browser, ["signout"]);

  expect(await session(copy)).toBeNull();
  await copy.get(["session"]);
  expect(copy.cookies[sessionCookie().name]).toBe("");
});

test("another sign-in in the same browser replaces its session", async () => {
  const browser = newBrowser();
  await post(browser, ["callback", "credentials"], { email: EMAIL, password: PASSWORD });
  const before = { ...browser.cookies };

  await post(browser, ["callback", "credentials"], { email: EMAIL, password: PASSWORD });

  expect(await findSession((name) => before[name])).toBeNull();
  expect(await session(browser)).not.toBeNull();
});

test("a wrong password makes none, and neither does a right one without the form's token", async () => {
  const browser = newBrowser();
  const wrong = await post(browser, ["callback", "credentials"], { email: EMAIL, password: "wrong" });
  expect(wrong.location).toContain("error=CredentialsSignin");

  const body = { email: EMAIL, password: PASSWORD, csrfToken: "made up" };
  await browser.post(["callback", "credentials"], body);

  expect(await session(browser)).toBeNull();
});

test("a passkey opens a session without an email, and every other answer of the device none", async () => {
  const device = createAuthenticator();
  const passkey = device.register(requestOf("bm9uZQ"));
  const registered = await verifyRegistration(NewPasskey.parse(passkey));
  await sql.runText({
    text: `insert into user_passkeys (id, user_id, name, public_key, counter, transports, is_synced, created_at)
           values ($1, $2, 'Phone', $3, 0, '{}', false, now())`,
    values: [passkey.id, userId, Buffer.from(registered?.credential.publicKey ?? [])],
  });
  const send = async (assertion: string) => {
    const browser = newBrowser();
    const { location } = await post(browser, ["callback", "passkey"], { assertion });
    return { location, user: (await session(browser))?.user.id ?? null };
  };
  const sign = async (by = device) => JSON.stringify(by.sign(requestOf(await signInChallenge())));

  expect(await send(await sign())).toMatchObject({ user: userId });
  expect(await send(await sign(createAuthenticator()))).toMatchObject({
    location: expect.stringContaining("error=unknown"),
    user: null,
  });
  expect(await send(JSON.stringify(device.sign(requestOf("bm9uZQ"))))).toMatchObject({
    location: expect.stringContaining("error=challenge"),
    user: null,
  });
  for (const broken of ["", "{", "{}", JSON.stringify(passkey)]) expect((await send(broken)).user).toBeNull();
});

test("the organization's sign-on lets in a user by verified email, whatever its case", async () => {
  const browser = newBrowser();

  expect(await signOn(browser, { email: "Ada@Example.com", email_verified: true })).toBe("/");

  expect(await session(browser)).toMatchObject({ user: { id: userId } });
});

test.each([
  ["just now", 0, true],
  ["an hour ago", 3600, false],
  ["in an hour, by the provider's clock,", -3600, false],
  ["at a time the provider does not tell", null, false],
])("a sign-on with credentials entered %s", async (_, secondsAgo, isProof) => {
  const browser = newBrowser();
  const auth_time = secondsAgo === null ? undefined : Math.floor(Date.now() / 1000) - secondsAgo;

  await signOn(browser, { email: EMAIL, email_verified: true, auth_time });

  expect((await session(browser))?.hasFreshProof).toBe(isProof);
});

test.each<[string, string, Record<string, unknown>, Record<string, unknown>?]>([
  ["an email that no user has", "unknown", { email: "eve@example.com", email_verified: true }],
  ["an email that is not verified", "unverified", { email: EMAIL, email_verified: false }],
  ["an email of which nothing is said", "unverified", { email: EMAIL }],
  ["no email", "no_email", { email_verified: true }],
  ["no email, and a name that looks like one", "no_email", { preferred_username: EMAIL, upn: EMAIL }],
  ["an email that is none", "invalid", { email: ["ada@example.com"], email_verified: true }],
  ["an email with U+0000", "invalid", { email: "ada@example.com\0", email_verified: true }],
  ["a very long email", "invalid", { email: `${"a".repeat(10_000)}@example.com`, email_verified: true }],
  ["a subject with U+0000", "invalid", { sub: "4\0", email: EMAIL, email_verified: true }],
  ["a very long subject", "invalid", { sub: "4".repeat(10_000), email: EMAIL, email_verified: true }],
  ["user information of another person", "no_email", {}, { sub: "44", email: EMAIL, email_verified: true }],
  ["an email and another's verification", "unverified", { email: EMAIL }, { email_verified: true }],
  ["another account of the same address", "linked", { email: EMAIL, email_verified: true }],
  ["an operator's address", "link_required", { email: OPERATOR, email_verified: true }],
])("the sign-on of %s ends at the sign-in page", async (_, reason, claims, userInfo) => {
  const browser = newBrowser();

  expect(await signOn(browser, { sub: "43", ...claims }, userInfo)).toBe(`/sign-in?error=${reason}`);

  expect(await session(browser)).toBeNull();
});

/** Invites a person by the operator, who signs in with the provider first. */
async function createPerson(): Promise<string> {
  const email = `person${++counter}@example.com`;
  await createUser({ partnerId: partner.id, email, name: "Person", role: "viewer" });
  return email;
}

test.each<[string, (email: string) => [Record<string, unknown>, Record<string, unknown>?]]>([
  ["only in the user information", (email) => [{}, { email, email_verified: true }]],
  ["verified only in the user information", (email) => [{ email }, { email, email_verified: true }]],
  ["verified as a text", (email) => [{ email, email_verified: "true" }]],
  ["in another case", (email) => [{ email: email.toUpperCase(), email_verified: true }]],
  ["with a name with U+0000", (email) => [{ email, email_verified: true, name: "A\0da" }]],
  ["with very long claims", (email) => [{ email, email_verified: true, name: "é".repeat(9000) }]],
])("an address %s signs the person in", async (_, shape) => {
  const email = await createPerson();
  const browser = newBrowser();
  const [claims, userInfo] = shape(email);

  expect(await signOn(browser, { sub: `of ${email}`, ...claims }, userInfo)).toBe("/");

  expect((await session(browser))?.user.email).toBe(email);
});

test("with SSO_TRUST_EMAIL an address of which Entra says nothing is verified, and one that is not stays refused", async () => {
  const email = await createPerson();
  process.env.SSO_TRUST_EMAIL = "true";
  try {
    const denied = { sub: `of ${email}`, email, email_verified: false };
    expect(await signOn(newBrowser(), denied)).toBe("/sign-in?error=unverified");
    expect(await signOn(newBrowser(), { sub: `of ${email}`, email })).toBe("/");
    expect(await signOn(newBrowser(), { sub: "45", email: OPERATOR })).toBe("/sign-in?error=link_required");
  } finally {
    process.env.SSO_TRUST_EMAIL = "";
  }
});

test("a linked account signs in whatever its address is now, and no one else's", async () => {
  const email = await createPerson();
  const sub = `of ${email}`;
  await signOn(newBrowser(), { sub, email, email_verified: true });
  const browser = newBrowser();

  expect(await signOn(browser, { sub, email: EMAIL, email_verified: true })).toBe("/");

  expect((await session(browser))?.user.email).toBe(email);
});

test("an operator links the account in a browser with a fresh proof, and then signs in with it", async () => {
  const claims = { sub: "operator", email: OPERATOR, email_verified: true };
  const { link } = await createUser({ partnerId: partner.id, email: OPERATOR, name: "Olga", role: "admin" });
  await setPasswordByLink(link?.token ?? "", PASSWORD);
  const browser = newBrowser();
  await post(browser, ["callback", "credentials"], { email: OPERATOR, password: PASSWORD });
  await sql.runText({ text: "update sessions set proved_at = proved_at - interval '1 hour'" });
  expect(await signOn(browser, claims)).toBe("/sign-in?error=link_required");
  await post(browser, ["callback", "credentials"], { email: OPERATOR, password: PASSWORD });

  expect(await signOn(browser, claims)).toBe("/");
  expect(await signOn(newBrowser(), claims)).toBe("/");
});

test("a person of two partners with a password links the account with a fresh proof", async () => {
  const email = await createPerson();
  const other = await createPartner("Other");
  await createUser({ partnerId: other.id, email, name: "Person", role: "viewer" });
  await transaction(async (tx) => setPassword(tx, (await findUser(email)).id, await hashPassword(PASSWORD)));
  const claims = { sub: `of ${email}`, email, email_verified: true };
  expect(await signOn(newBrowser(), claims)).toBe("/sign-in?error=link_required");
  const browser = newBrowser();
  await post(browser, ["callback", "credentials"], { email, password: PASSWORD });

  expect(await signOn(browser, claims)).toBe("/");
});

test("a password that was set by who never proved the address ends with the first sign-on of its owner", async () => {
  const email = await createPerson();
  const { id } = await findUser(email);
  await transaction(async (tx) => {
    await setPassword(tx, id, await hashPassword("the intruder's password"));
    await recordProof(tx, id, false);
  });
  const intruder = newBrowser();
  await post(intruder, ["callback", "credentials"], { email, password: "the intruder's password" });
  expect(await session(intruder)).not.toBeNull();

  expect(await signOn(newBrowser(), { sub: `of ${email}`, email, email_verified: true })).toBe("/");

  expect(await session(intruder)).toBeNull();
  await post(intruder, ["callback", "credentials"], { email, password: "the intruder's password" });
  expect(await session(intruder)).toBeNull();
});

function findUser(email: string): Promise<{ id: string }> {
  return prisma().user.findUniqueOrThrow({ where: { email } });
}

test.each([
  ["access_denied", "canceled"],
  ["temporarily_unavailable", "unavailable"],
  ["invalid_scope", "provider"],
  ["constructor", "provider"],
])("the error %s of the provider is a sentence on the sign-in page", (error, reason) => {
  const url = `${dashboardUrl()}/api/auth/callback/oidc?error=${error}&error_description=no&state=x`;

  const answer = answerProviderError(new Request(url));

  expect(answer?.headers.get("location")).toBe(`http://localhost:3000/sign-in?error=${reason}`);
});

test("two tabs of a browser sign in with the provider at the same time", async () => {
  const email = await createPerson();
  const jar: Record<string, string> = {};
  const tabs = [await openTab(jar), await openTab(jar)];
  const claims = { sub: `of ${email}`, email, email_verified: true };

  for (const { asked, complete } of tabs) {
    const query = issuer.authorize(new URL(asked), claims);
    expect(await complete(query)).toBe("/");
    expect((await findSession((name) => jar[name]))?.user.email).toBe(email);
  }
});

/** Begins a sign-on in a tab. The tabs of a browser share their cookies. */
async function openTab(jar: Record<string, string>) {
  const url = (path: string) => `${dashboardUrl()}/api/auth/${path}`;
  const tab = (flow: string | null) =>
    newAuthBrowser((cookies) => authOptions({ cookie: (name) => cookies[name], flow }), jar);
  const begun = await flowOf(new Request(url("signin/oidc")), []);
  const { location: asked } = await post(tab(begun), ["signin", "oidc"]);
  return {
    asked,
    async complete(query: Record<string, string>): Promise<string> {
      const answered = new Request(`${url("callback/oidc")}?${new URLSearchParams(query)}`);
      const cookies = Object.entries(jar).map(([name, value]) => ({ name, value }));
      const { location } = await tab(await flowOf(answered, cookies)).get(["callback", "oidc"], query);
      return new URL(location, dashboardUrl()).pathname;
    },
  };
}

test("an answer of the provider with a code is not an error", () => {
  const url = `${dashboardUrl()}/api/auth/callback/oidc?code=1&state=x`;
  expect(answerProviderError(new Request(url))).toBeNull();
});

test("an answer of the sign-on that this browser did not ask for is refused", async () => {
  const asking = newBrowser();
  const asked = await post(asking, ["signin", "oidc"]);
  const claims = { sub: "42", email: EMAIL, email_verified: true };
  const query = issuer.authorize(new URL(asked.location), claims);
  const victim = newBrowser();

  await victim.get(["callback", "oidc"], query);

  expect(await session(victim)).toBeNull();
});
