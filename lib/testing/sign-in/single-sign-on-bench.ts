import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { setOperator } from "@/lib/identity/people/set-operator";
import { findSession } from "@/lib/identity/sessions/find-session";
import { recheckSsoSessions } from "@/lib/identity/sso/recheck-sso-sessions";
import { prisma, sql } from "@/lib/platform/database/db";
import type { Route } from "@/lib/runtime/http/endpoint";
import type { PlainRoute } from "@/lib/runtime/http/plain-route";
import { authOptions } from "@/lib/runtime/sign-in/auth-options";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type AuthBrowser, newAuthBrowser } from "@/lib/testing/sign-in/auth-browser";
import { startOidcProvider, type TestOidcProvider } from "@/lib/testing/sign-in/oidc-provider";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const DASHBOARD = "http://localhost:3000";
export const PASSWORD = "correct horse battery";
export const NOT_STOPPED = new AbortController().signal;
export let provider: TestOidcProvider;
let client: Server;
export const logoutStatuses: number[] = [];
export let account: TestAccount;
export let admin: DashboardUser;
export let email: string;
let counter = 0;
let routes: Routes;

/** The routes that the tests of a file call. The file imports them, because lib imports nothing of app. */
interface Routes {
  logout: PlainRoute;
  setGroup: Route;
}

/** Before each test of the file: an account with an admin, and the address of a new person, beside one provider. */
export function singleSignOnBench(used: Routes): void {
  beforeAll(async () => {
    routes = used;
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
}

/** Changes the address with which `signOn` signs on until the next test. */
export function setEmail(address: string): void {
  email = address;
}

export function postLogout(body: string): Promise<Response> {
  const request = new Request(`${DASHBOARD}/api/backchannel-logout`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  return routes.logout(request, { params: Promise.resolve({}) });
}

/** A name that no other test maps. */
export function groupOf(name: string): string {
  return `${name} of ${account.ref.partnerId}`;
}

export function mapGroup(group: string, role: string, by = admin) {
  return by.call(routes.setGroup, { method: "PUT", body: { group, role } });
}

/** Runs something while a user is an operator. */
export async function asOperator<Result>(user: DashboardUser, run: () => Promise<Result>): Promise<Result> {
  const { email: address } = await prisma().user.findUniqueOrThrow({ where: { id: user.id } });
  await setOperator(address, true);
  try {
    return await run();
  } finally {
    await setOperator(address, false);
  }
}

/** Signs in with the provider. Returns the browser and the path of the last redirect. */
export async function signOn(
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
export async function makeDue(): Promise<void> {
  const text =
    "update sso_sessions set next_check_at = now() - interval '1 second' where next_check_at is not null";
  await sql.runText({ text });
}

export async function recheckNow(): Promise<number> {
  await makeDue();
  return recheckSsoSessions(NOT_STOPPED);
}

export async function auditsOf(userId: string): Promise<[string, unknown][]> {
  const entries = await prisma().auditEntry.findMany({ where: { objectId: userId }, orderBy: { id: "asc" } });
  return entries.map(({ action, detail }) => [action, detail]);
}
