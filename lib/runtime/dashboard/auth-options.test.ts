import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { verifyRegistration } from "@/lib/identity/passkeys/verify-passkey";
import { createUser } from "@/lib/identity/users/create-user";
import { findSession } from "@/lib/identity/users/find-session";
import { sessionCookie } from "@/lib/identity/users/session-token";
import { setPasswordByLink } from "@/lib/identity/users/set-password";
import { sql } from "@/lib/platform/db";
import { dashboardUrl } from "@/lib/platform/env";
import { NewPasskey } from "@/lib/platform/passkey-response";
import { authOptions } from "@/lib/runtime/dashboard/auth-options";
import { type AuthBrowser, newAuthBrowser } from "@/lib/testing/auth-browser";
import { type Issuer, startIssuer } from "@/lib/testing/oidc-issuer";
import { createAuthenticator } from "@/lib/testing/software-authenticator";
import { requestOf, signInChallenge } from "@/lib/testing/use-dashboard-passkey";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";
let issuer: Issuer;
let userId: string;

beforeAll(async () => {
  issuer = await startIssuer("console", "client secret");
  process.env.OIDC_ISSUER = issuer.url;
  process.env.OIDC_CLIENT_ID = "console";
  process.env.OIDC_CLIENT_SECRET = "client secret";
  // Passkeys need localhost or HTTPS.
  process.env.DASHBOARD_URL = "http://localhost:3000";
  process.env.NEXTAUTH_URL = dashboardUrl();
  const partner = await createPartner("Ours");
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
async function signOn(browser: AuthBrowser, claims: Record<string, unknown>): Promise<string> {
  const asked = await post(browser, ["signin", "oidc"]);
  const query = issuer.authorize(new URL(asked.location), { sub: "42", name: "Ada", ...claims });
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
  await sql.query({
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
  ["at a time the provider does not tell", null, false],
])("a sign-on with credentials entered %s", async (_, secondsAgo, isProof) => {
  const browser = newBrowser();
  const auth_time = secondsAgo === null ? undefined : Math.floor(Date.now() / 1000) - secondsAgo;

  await signOn(browser, { email: EMAIL, email_verified: true, auth_time });

  expect((await session(browser))?.hasFreshProof).toBe(isProof);
});

test.each([
  ["an email that no user has", { email: "eve@example.com", email_verified: true }, "/sign-in?error=unknown"],
  ["an email that is not verified", { email: EMAIL, email_verified: false }, "/sign-in?error=unverified"],
  ["an email of which nothing is said", { email: EMAIL }, "/sign-in?error=unverified"],
  ["no email", { email_verified: true }, "/sign-in?error=unverified"],
])("the sign-on of %s ends at the sign-in page", async (_, claims, target) => {
  const browser = newBrowser();

  expect(await signOn(browser, claims)).toBe(target);

  expect(await session(browser)).toBeNull();
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
