import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import type { Role } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/db";
import type { Right } from "@/lib/platform/right";
import { roleHasRight } from "@/lib/platform/role-rights";
import type { Route } from "@/lib/runtime/http/endpoint";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in-as";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const UNKNOWN_ID = "01a00000-0000-7000-8000-000000000000";
const PEOPLE: readonly { role: Role; isOperator: boolean }[] = [
  { role: "viewer", isOperator: false },
  { role: "support", isOperator: false },
  { role: "developer", isOperator: false },
  { role: "admin", isOperator: false },
  { role: "viewer", isOperator: true },
];

/**
 * Routes whose status does not show whether access was allowed: a stream that does not end, open to every role, and a
 * callback that always redirects.
 */
const ANSWERED_OTHERWISE = ["/api/events/stream", "/api/processors/stripe/callback"];

/** Sign-in, setting the first password, and the identity provider: there is no user with a role. */
const WITHOUT_A_SESSION = [
  "/api/auth/[...nextauth]",
  "/api/backchannel-logout",
  "/api/passkey-sign-in",
  "/api/password-reset",
  "/api/welcome",
];

const files = import.meta.glob<Record<string, unknown>>("/app/api/**/route.ts", { eager: true });
const operations = Object.entries(files).flatMap(([file, methods]) => {
  const path = file.replace(/^\/app|\/route\.ts$/g, "");
  if (WITHOUT_A_SESSION.includes(path)) return [];
  return METHODS.filter((method) => methods[method] !== undefined).map((method) => ({
    method,
    path,
    route: methods[method] as Route,
  }));
});

let users: DashboardUser[];

beforeAll(async () => {
  const account = await createTestAccount({ type: "sandbox" });
  // The account's setting must not deny what a role allows.
  await prisma().account.update({ where: { id: account.ref.id }, data: { developerTokens: true } });
  users = await Promise.all(PEOPLE.map(({ role, isOperator }) => signInAs(account, role, { isOperator })));
});

function rightOf(route: Route): Right | undefined {
  return route.contract.right;
}

function paramsOf(path: string): Record<string, string> {
  const names = [...path.matchAll(/\[(\w+)\]/g)].map((match) => match[1] ?? "");
  return Object.fromEntries(names.map((name) => [name, name.endsWith("Id") ? UNKNOWN_ID : "+15550199999"]));
}

test("every route of the dashboard is found", () => {
  expect(operations.length).toBeGreaterThan(100);
});

describe.each(operations)("$method $path", ({ method, path, route }) => {
  test("names a right: one to see for what is read, one to act for what is changed", () => {
    const right = rightOf(route);
    expect(right).toBeDefined();
    if (method !== "GET") expect(right).not.toMatch(/^view_/);
  });

  test.skipIf(ANSWERED_OTHERWISE.includes(path))(
    "refuses every role without the right with 403/2005, and no other",
    async () => {
      const right = rightOf(route) ?? "signed_in";
      const hasDryRun = JSON.stringify(Object.keys(queryShape(route))).includes("dry_run");
      const queries: Record<string, string>[] = hasDryRun ? [{}, { dry_run: "true" }] : [{}];
      for (const query of queries) {
        for (const [at, who] of PEOPLE.entries()) {
          const body = method === "GET" ? undefined : {};
          // Some routes end the caller's session.
          const user = await users[at]?.signInAgain();
          const answer = await user?.call(route, { method, params: paramsOf(path), query, body });
          const isRefused = answer?.status === 403 && answer.body?.error.code === 2005;
          expect({ ...who, query, isRefused }).toEqual({
            ...who,
            query,
            isRefused: !roleHasRight(who, right),
          });
        }
      }
    },
  );
});

function queryShape(route: Route): Record<string, unknown> {
  const query = route.contract.query;
  return query !== undefined && "shape" in query ? (query.shape as Record<string, unknown>) : {};
}

/** The documented matrix, row by row. A change to it is a decision and must be repeated here. */
test.each<[Right, string]>([
  ["signed_in", "viewer support developer admin"],
  ["view_account", "viewer support developer admin"],
  ["view_lines", "viewer support developer admin"],
  ["view_chats", "viewer support developer admin"],
  ["view_opt_outs", "viewer support developer admin"],
  ["view_payments", "viewer support developer admin"],
  ["view_events", "viewer support developer admin"],
  ["view_requests", "viewer support developer admin"],
  ["view_webhooks", "viewer support developer admin"],
  ["view_request_bodies", "support developer admin"],
  ["send_messages", "support developer admin"],
  ["decide_opt_outs", "support developer admin"],
  ["manage_blocks", "support developer admin"],
  ["request_payments", "support developer admin"],
  ["view_history", "developer admin"],
  ["view_tokens", "developer admin"],
  ["view_payment_payloads", "developer admin"],
  ["manage_attachments", "developer admin"],
  ["manage_lines", "developer admin"],
  ["manage_payments", "developer admin"],
  ["manage_webhooks", "developer admin"],
  ["manage_account", "admin"],
  ["manage_accounts", "admin"],
  ["manage_people", "admin"],
  ["manage_spending", "admin"],
  ["assign_lines", "operator"],
  ["connect_lines", "operator"],
  ["flag_lines", "operator"],
])("%s is for %s", (right, holders) => {
  const roles = ["viewer", "support", "developer", "admin"] as const;
  const found: string[] = roles.filter((role) => roleHasRight({ role }, right));
  if (found.length === 0 && roleHasRight({ role: "viewer", isOperator: true }, right)) found.push("operator");
  expect(found.join(" ")).toBe(holders);
});

/** Routes whose checks are easily lost, each with its right. */
test.each<[string, (typeof METHODS)[number], Right]>([
  ["/api/agent-payments/providers/[provider]", "POST", "manage_payments"],
  ["/api/agent-payments/providers/[provider]", "DELETE", "manage_payments"],
  ["/api/agent-payments/connections/[handle]", "DELETE", "manage_payments"],
  ["/api/agent-payments/[paymentId]/cancel", "POST", "manage_payments"],
  ["/api/agent-payments/settings", "PATCH", "manage_spending"],
  ["/api/blocked-handles", "POST", "manage_blocks"],
  ["/api/blocked-handles", "DELETE", "manage_blocks"],
  ["/api/opt-outs", "POST", "decide_opt_outs"],
  ["/api/opt-outs/hints/[hintId]", "POST", "decide_opt_outs"],
  ["/api/account/app-clips", "POST", "manage_account"],
  ["/api/account/app-clips/[appClipId]", "DELETE", "manage_account"],
  ["/api/account/options", "PATCH", "manage_account"],
  ["/api/processors/stripe/callback", "GET", "manage_payments"],
  ["/api/events/stream", "GET", "view_events"],
  ["/api/audit-log", "GET", "view_history"],
  ["/api/chats", "POST", "send_messages"],
  ["/api/chats/[chatId]/messages", "POST", "send_messages"],
  ["/api/chats/[chatId]/polls", "POST", "send_messages"],
  ["/api/chats/[chatId]/voice-memos", "POST", "send_messages"],
  ["/api/attachments/[attachmentId]", "DELETE", "manage_attachments"],
  ["/api/attachments/[attachmentId]/content", "PUT", "send_messages"],
  ["/api/attachments/[attachmentId]/preview", "GET", "view_chats"],
  ["/api/lines", "POST", "assign_lines"],
  ["/api/lines/[lineId]/status", "PUT", "flag_lines"],
  ["/api/accounts", "POST", "manage_accounts"],
  ["/api/accounts/[accountId]/archive", "POST", "manage_accounts"],
  ["/api/lines/[lineId]", "DELETE", "release_lines"],
  ["/api/lines/[lineId]/move", "POST", "assign_lines"],
  ["/api/lines/simulated", "POST", "add_simulated_lines"],
  ["/api/lines/[lineId]/transport", "GET", "connect_lines"],
  ["/api/lines/[lineId]/transport", "PUT", "connect_lines"],
  ["/api/lines/[lineId]/transport", "PATCH", "connect_lines"],
  ["/api/lines/[lineId]/transport/test", "POST", "connect_lines"],
  ["/api/lines/[lineId]/transport/active", "PUT", "connect_lines"],
  ["/api/lines/[lineId]/transport/standbys/[position]", "DELETE", "connect_lines"],
  ["/api/tokens", "GET", "view_tokens"],
  ["/api/tokens", "POST", "manage_tokens"],
  ["/api/requests/[requestId]", "GET", "view_requests"],
  ["/api/webhooks/deliveries/[deliveryId]/replay", "POST", "manage_webhooks"],
])("%s %s needs %s", (path, method, right) => {
  const found = operations.find((operation) => operation.path === path && operation.method === method);
  expect(found && rightOf(found.route)).toBe(right);
});
