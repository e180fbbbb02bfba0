import { encode } from "next-auth/jwt";
import { createUser } from "@/lib/identity/people/create-user";
import { openSession } from "@/lib/identity/sessions/open-session";
import { sessionCookie, sessionSeconds, sessionSecret } from "@/lib/identity/sessions/session-token";
import type { Role } from "@/lib/platform/context";
import { sql, transaction } from "@/lib/platform/database/db";
import { dashboardUrl } from "@/lib/platform/env";
import type { Route } from "@/lib/runtime/http/endpoint";
import type { ApiAnswer } from "@/lib/testing/call-api";
import type { TestAccount } from "@/lib/testing/create-test-account";

interface DashboardCall {
  /** The path, for routes whose path decides whether they can be used in a read-only account. */
  path?: string;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path parameters by name. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

export interface DashboardUser {
  id: string;
  /** The cookies of the user's browser. */
  cookie: string;
  /** The same user in another browser, in the same account or another one. */
  signInAgain(where?: { at: TestAccount }): Promise<DashboardUser>;
  /** Calls a route of the dashboard's private API, as the signed-in user's page does. */
  call(route: Route, call?: DashboardCall): Promise<ApiAnswer>;
}

let counter = 0;

/** Opens a session of a user with a recent proof of identity. Returns its cookie as `name=value`. */
async function openTestSession(userId: string): Promise<string> {
  const session = await transaction((tx) => openSession(tx, { userId, method: "password" }));
  const token = await encode({ token: { session }, secret: sessionSecret(), maxAge: sessionSeconds() });
  return `${sessionCookie().name}=${token}`;
}

/**
 * Creates a user of the account's partner who is signed in to the dashboard. The user is an operator only if specified.
 */
export async function signInAs(
  account: TestAccount,
  role: Role,
  { isOperator = false }: { isOperator?: boolean } = {},
): Promise<DashboardUser> {
  const email = `${role}${++counter}@example.com`;
  const user = { partnerId: account.ref.partnerId, email, name: `A ${role}`, role };
  const { userId } = await createUser(user);
  const text = "update users set is_operator = $2, address_proved_at = now() where id = $1";
  await sql.runText({ text, values: [userId, isOperator] });
  return openDashboard(userId, account);
}

/** A browser in which an existing user is signed in. */
export function signInAsUser(userId: string, account: TestAccount): Promise<DashboardUser> {
  return openDashboard(userId, account);
}

async function openDashboard(userId: string, account: TestAccount): Promise<DashboardUser> {
  const cookie = `${await openTestSession(userId)}; trunkline_account=${account.ref.id}`;
  return {
    id: userId,
    cookie,
    signInAgain: ({ at } = { at: account }) => openDashboard(userId, at),
    async call(route, { path = "/api", method = "GET", params = {}, query = {}, body } = {}) {
      const origin = new URL(dashboardUrl()).origin;
      const request = new Request(`${origin}${path}?${new URLSearchParams(query)}`, {
        method,
        headers: { cookie, origin, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const response = await route(request, { params: Promise.resolve(params) });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : text || null,
      };
    },
  };
}
