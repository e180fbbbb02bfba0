import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { privateRoutes } from "@/.generated/private-route-table";
import { routes } from "@/.generated/route-table";
import { sql } from "@/lib/platform/database/db";
import type { Right } from "@/lib/platform/rights/right";
import type { Route } from "@/lib/runtime/http/endpoint";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const UNKNOWN_ID = "01a00000-0000-7000-8000-000000000000";

const operations = privateRoutes.flatMap(({ path, methods }) =>
  Object.entries(methods).flatMap(([method, handler]) => {
    const route = handler as Route;
    return route.contract?.summary === undefined ? [] : [{ method, path, route, contract: route.contract }];
  }),
);

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** The operations that hand out data or credentials, can't be undone, or give more access. A change is a decision. */
const WITH_PROOF = [
  "DELETE /api/agent-payments/connections/:handle/passkeys",
  "DELETE /api/agent-payments/providers/:provider",
  "DELETE /api/lines/:lineId",
  "DELETE /api/lines/:lineId/transport/standbys/:position",
  "DELETE /api/people/:userId",
  "DELETE /api/people/:userId/passkeys",
  "DELETE /api/people/groups",
  "DELETE /api/processors/stripe/connect",
  "DELETE /api/session/passkeys/:passkeyId",
  "DELETE /api/session/password",
  "DELETE /api/tokens/:tokenId",
  "GET /api/audit-log/csv",
  "PATCH /api/agent-payments/settings",
  "PATCH /api/payment-settings",
  "PATCH /api/people/:userId",
  "PATCH /api/people/sign-in-rules",
  "PATCH /api/tokens/:tokenId",
  "POST /api/account/export",
  "POST /api/accounts",
  "POST /api/accounts/:accountId/archive",
  "POST /api/accounts/:accountId/restore",
  "POST /api/agent-payments/providers/:provider",
  "POST /api/customers/:handle/erasure",
  "POST /api/customers/:handle/export",
  "POST /api/lines",
  "POST /api/lines/:lineId/move",
  "POST /api/people",
  "POST /api/people/:userId/invitation",
  "POST /api/people/:userId/password-reset",
  "POST /api/processors/stripe/connect",
  "POST /api/session/passkeys",
  "POST /api/session/passkeys/options",
  "POST /api/tokens",
  "POST /api/tokens/:tokenId/roll",
  "POST /api/webhook-subscriptions",
  "POST /api/webhook-subscriptions/:subscriptionId/rotate",
  "PUT /api/lines/:lineId/transport",
  "PUT /api/lines/:lineId/transport/active",
  "PUT /api/people/groups",
];

/** The operations that need a proof for some fields of the body. */
const WITH_PROVEN_FIELDS = {
  "PATCH /api/account/options": ["retention_minutes", "developer_tokens"],
  "PUT /api/webhook-subscriptions/:subscriptionId": ["target_url"],
};

/** Rights that widen access, or whose operations can't be undone. */
const SENSITIVE: readonly Right[] = [
  "manage_account",
  "manage_accounts",
  "manage_people",
  "manage_personal_data",
  "manage_spending",
  "manage_tokens",
  "release_lines",
  "assign_lines",
  "connect_lines",
  "operate_instance",
];

/** Changes with a sensitive right that need no proof, each with its reason. */
const WITHOUT_PROOF: Readonly<Record<string, string>> = {
  "PATCH /api/account/options": "only some fields need it",
  "POST /api/account/app-clips": "a registered app clip opens the account's own checkout",
  "DELETE /api/account/app-clips/:appClipId": "an app clip can be registered again",
  "PATCH /api/accounts/:accountId": "a name and a color",
  "DELETE /api/people/:userId/sessions": "takes access away, and the person can sign in again",
  "PATCH /api/lines/:lineId/transport": "the seconds before a failover",
  "POST /api/lines/:lineId/transport/test": "changes nothing",
  "POST /api/lines/:lineId/set-aside/:eventId": "stores a message that arrived",
  "POST /api/v2-chats/import": "adds IDs to chats",
  "POST /api/teams": "a team sorts chats that its members can answer anyway",
  "PUT /api/teams/:teamId": "a team sorts chats that its members can answer anyway",
  "DELETE /api/teams/:teamId": "its members can still answer its chats",
  "POST /api/instance/test-mail": "an email to the person's own address",
};

let account: TestAccount;
let stale: DashboardUser;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stale = await signInAs(account, "admin", { isOperator: true });
  await sql.runText({
    text: "update sessions set proved_at = now() - interval '11 minutes' where user_id = $1",
    values: [stale.id],
  });
});

test("the operations that need a proof of identity are the listed ones", () => {
  const found = operations.filter(({ contract }) => contract.proof === true).map(nameOf);
  expect(found.sort()).toEqual([...WITH_PROOF].sort());
  const partly = operations.filter(({ contract }) => Array.isArray(contract.proof));
  expect(Object.fromEntries(partly.map((each) => [nameOf(each), each.contract.proof]))).toEqual(
    WITH_PROVEN_FIELDS,
  );
});

test("every other change with a right that widens access has a reason to need none", () => {
  const found = operations.filter(
    ({ method, contract }) =>
      method !== "GET" && contract.proof !== true && SENSITIVE.includes(contract.right as Right),
  );
  expect(found.map(nameOf).sort()).toEqual(Object.keys(WITHOUT_PROOF).sort());
});

test("an operation of the API needs a proof where its twin in the dashboard does", () => {
  const different = operationsOf(routes).flatMap((operation) => {
    const twin = operations.find(
      ({ method, contract }) =>
        method === operation.method &&
        contract.summary === operation.contract.summary &&
        contract.tag === operation.contract.tag,
    );
    if (twin === undefined) return [];
    const same = String(twin.contract.proof) === String(operation.contract.proof);
    return same ? [] : [nameOf(operation)];
  });
  expect(different).toEqual([]);
});

function callStale(
  { method, path, route }: (typeof operations)[number],
  body: object | undefined,
): ReturnType<DashboardUser["call"]> {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  const params = Object.fromEntries(
    names.map((name) => [name, name.endsWith("Id") ? UNKNOWN_ID : "+15550199999"]),
  );
  return stale.call(route, { method: method as "POST", params, body });
}

test.each(WITH_PROOF)("%s asks for a proof before it does anything", async (name) => {
  const operation = operations.find((each) => nameOf(each) === name);
  if (operation === undefined) throw new Error(`${name} does not exist`);
  const { status, headers } = await callStale(operation, operation.method === "GET" ? undefined : {});
  expect([status, headers.get("x-proof-required")]).toEqual([403, "required"]);
});

test.each([
  ["PATCH /api/account/options", { retention_minutes: 60 }, 403],
  ["PATCH /api/account/options", { developer_tokens: true }, 403],
  ["PATCH /api/account/options", { locations: true }, 200],
  ["PUT /api/webhook-subscriptions/:subscriptionId", { target_url: "https://example.com/new" }, 403],
  ["PUT /api/webhook-subscriptions/:subscriptionId", { is_active: false }, 404],
])("%s with %j is %i without a proof", async (name, body, expected) => {
  const operation = operations.find((each) => nameOf(each) === name);
  if (operation === undefined) throw new Error(`${name} does not exist`);
  const { status, headers } = await callStale(operation, body);
  expect([status, headers.has("x-proof-required")]).toEqual([expected, expected === 403]);
});
