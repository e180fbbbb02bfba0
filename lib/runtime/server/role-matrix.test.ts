import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { createUser } from "@/lib/identity/people/create-user";
import type { Role } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import type { Right } from "@/lib/platform/rights/right";
import { roleHasRight } from "@/lib/platform/rights/role-rights";
import type { Route } from "@/lib/runtime/http/endpoint";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

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

/** The operations of an admin, and of an admin who is an operator, on a person: the status for each. */
describe.each<[string, (by: Team) => Promise<string>]>([
  [
    "an operator in the list",
    async ({ account }) => (await signInAs(account, "viewer", { isOperator: true })).id,
  ],
  ["a person of two partners", personOfTwo],
  ["an operator of two partners", async (team) => asOperator(await personOfTwo(team))],
  ["a pending invitation of a known person", (team) => invited(team, `known${++counter}@example.com`, true)],
  ["a pending invitation of a new address", (team) => invited(team, `new${++counter}@example.com`, false)],
  ["a member", async ({ account }) => (await signInAs(account, "admin")).id],
])("%s", (kind, create) => {
  const refused = { admin: 403, operator: kind.includes("two") ? 403 : 201 };
  const isInvited = kind.includes("invitation");
  const credentials = isInvited ? 409 : kind === "a member" ? 201 : refused.admin;
  const byOperator = isInvited ? 409 : refused.operator;
  test.each<[string, string, (typeof METHODS)[number], number, number]>([
    ["resetting the password", "password-reset", "POST", credentials, byOperator],
    ["removing the passkeys", "passkeys", "DELETE", credentials, byOperator],
    ["ending the sessions", "sessions", "DELETE", isInvited ? 409 : 204, isInvited ? 409 : 204],
    ["changing the role", "", "PATCH", 204, 204],
    ["sending the invitation again", "invitation", "POST", isInvited ? 201 : 404, isInvited ? 201 : 404],
    ["removing", "", "DELETE", 204, 204],
  ])("%s", async (_, under, method, forAdmin, forOperator) => {
    const path = `/api/people/[userId]${under === "" ? "" : `/${under}`}`;
    const operation = operations.find((each) => each.path === path && each.method === method);
    const body = method === "PATCH" ? { role: "support" } : undefined;
    for (const [by, expected] of [
      [team.admin, forAdmin],
      [team.operator, forOperator],
    ] as const) {
      const params = { userId: await create(team) };
      const answer = operation && (await by.call(operation.route, { method, params, body }));
      // An answer without a body is 204 where one with a link is 201.
      expect(answer?.status).toBe(expected === 201 && method === "DELETE" ? 204 : expected);
    }
  });
});

interface Team {
  account: TestAccount;
  elsewhere: TestAccount;
  admin: DashboardUser;
  operator: DashboardUser;
}

let team: Team;
let counter = 0;

beforeAll(async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const elsewhere = await createTestAccount({ type: "sandbox" });
  const admin = await signInAs(account, "admin");
  team = { account, elsewhere, admin, operator: await signInAs(account, "admin", { isOperator: true }) };
});

async function personOfTwo({ account, elsewhere }: Team): Promise<string> {
  const person = { email: `two${++counter}@example.com`, name: "Shared", role: "viewer" } as const;
  await createUser({ ...person, partnerId: elsewhere.ref.partnerId });
  return (await createUser({ ...person, partnerId: account.ref.partnerId })).userId;
}

async function asOperator(id: string): Promise<string> {
  await prisma().user.update({ where: { id }, data: { isOperator: true } });
  return id;
}

async function invited({ admin, elsewhere }: Team, email: string, isKnown: boolean): Promise<string> {
  const body = { email, name: "Invited", role: "viewer" } as const;
  if (isKnown) await createUser({ ...body, partnerId: elsewhere.ref.partnerId });
  const invite = operations.find(({ path, method }) => path === "/api/people" && method === "POST");
  return (invite && (await admin.call(invite.route, { method: "POST", body })))?.body.id;
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
