import { encode } from "next-auth/jwt";
import type { Route } from "@/lib/http/endpoint";
import { dashboardUrl } from "@/lib/platform/env";
import type { ApiAnswer } from "@/lib/testing/call-api";
import type { TestAccount } from "@/lib/testing/create-test-account";
import { createUser } from "@/lib/users/create-user";
import { SESSION_SECONDS, sessionCookie, sessionSecret } from "@/lib/users/session-token";

interface DashboardCall {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** By name, as the path has them. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

export interface DashboardUser {
  id: string;
  /** Calls a route of the dashboard's own API, as the signed-in user's page does. */
  call(route: Route, call?: DashboardCall): Promise<ApiAnswer>;
}

let made = 0;

/** A new user of the account's partner, signed in to the dashboard. */
export async function signInAs(
  account: TestAccount,
  role: "admin" | "developer" | "support" | "viewer",
): Promise<DashboardUser> {
  const email = `${role}${++made}@example.com`;
  const user = { partnerId: account.ref.partnerId, email, name: `A ${role}`, role };
  const { userId } = await createUser(user);
  const session = await encode({
    token: { sub: userId, version: 0 },
    secret: sessionSecret(),
    maxAge: SESSION_SECONDS,
  });
  const cookie = `${sessionCookie().name}=${session}; trunkline_account=${account.ref.id}`;

  return {
    id: userId,
    async call(route, { method = "GET", params = {}, query = {}, body } = {}) {
      const origin = new URL(dashboardUrl()).origin;
      const request = new Request(`${origin}/api?${new URLSearchParams(query)}`, {
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
