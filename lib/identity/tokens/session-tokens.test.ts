import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { POST as createRoute } from "@/app/api/explorer/token/route";
import { GET as valuesRoute } from "@/app/api/explorer/values/route";
import { DELETE as signOut } from "@/app/api/session/route";
import { PATCH as updateRoute } from "@/app/api/tokens/[tokenId]/route";
import { GET as listRoute } from "@/app/api/tokens/route";
import { expireTokens } from "@/lib/identity/tokens/expire-tokens";
import { setMemberRole } from "@/lib/identity/users/change-role";
import { partnerChangeOf } from "@/lib/identity/users/partner-change";
import { setClock } from "@/lib/platform/clock";
import type { Role } from "@/lib/platform/context";
import { prisma, transaction } from "@/lib/platform/db";
import { dashboardUrl } from "@/lib/platform/env";
import { roleHasRight } from "@/lib/platform/role-rights";
import { operationsOf } from "@/lib/runtime/server/operations";
import { sweepLeftovers } from "@/lib/runtime/worker/sweep-leftovers";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in-as";

const MINUTE_MS = 60_000;
const UNKNOWN_ID = "01a00000-0000-7000-8000-000000000000";
const ROLES: readonly Role[] = ["viewer", "support", "developer", "admin"];

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(() => setClock(null));

async function createToken(user: DashboardUser): Promise<string> {
  const { status, body } = await user.call(createRoute, { method: "POST" });
  expect(status).toBe(201);
  return body.token;
}

async function statusOf(token: string): Promise<number> {
  return (await callApi("GET /v3/phone_numbers", { token })).status;
}

function storedTokens(user: DashboardUser) {
  return prisma().apiToken.findMany({ where: { createdBy: user.id }, orderBy: { id: "asc" } });
}

test("a token of the explorer works for 15 minutes, and the audit trail names its user and session", async () => {
  const user = await signInAs(account, "developer");
  const token = await createToken(user);
  expect(await statusOf(token)).toBe(200);

  const [stored] = await storedTokens(user);
  expect(stored).toMatchObject({ name: "API explorer", role: "developer", accountId: account.ref.id });
  const entry = await prisma().auditEntry.findFirstOrThrow({ where: { objectId: stored?.id ?? "" } });
  expect(entry).toMatchObject({ action: "api_token.created", actorType: "user", actorId: user.id });
  expect(entry.detail).toMatchObject({ session_id: stored?.sessionId, role: "developer" });

  setClock({ offsetMs: 14 * MINUTE_MS, frozenAt: null });
  expect(await statusOf(token)).toBe(200);
  setClock({ offsetMs: 16 * MINUTE_MS, frozenAt: null });
  expect(await statusOf(token)).toBe(401);
});

test("signing out ends the tokens of the session, and no others", async () => {
  const user = await signInAs(account, "admin");
  const other = await user.signInAgain();
  const [token, kept] = [await createToken(user), await createToken(other)];

  const { origin } = new URL(dashboardUrl());
  const headers = { cookie: user.cookie, origin };
  const request = new Request(`${origin}/api/session`, { method: "DELETE", headers });
  expect((await signOut(request, { params: Promise.resolve({}) })).status).toBe(204);

  expect(await statusOf(token)).toBe(401);
  expect(await statusOf(kept)).toBe(200);
});

test("a changed role ends the tokens of the user", async () => {
  const user = await signInAs(account, "admin");
  const token = await createToken(user);
  await transaction((tx) =>
    setMemberRole(tx, partnerChangeOf(account.context()), { userId: user.id, role: "viewer" }),
  );
  expect(await statusOf(token)).toBe(401);
});

test("programs never learn of these tokens: no list, no change, no event, no notice", async () => {
  const user = await signInAs(account, "admin");
  await createToken(user);
  const [stored] = await storedTokens(user);
  const id = stored?.id ?? "";
  const { body } = await user.call(listRoute);
  expect(body.tokens.map((token: { id: string }) => token.id)).not.toContain(id);
  const change = { method: "PATCH", params: { tokenId: id }, body: { expires_in_days: null } } as const;
  expect((await user.call(updateRoute, change)).status).toBe(404);

  setClock({ offsetMs: 20 * MINUTE_MS, frozenAt: null });
  await expireTokens(new AbortController().signal);
  const events = await prisma().event.findMany({
    where: { accountId: account.ref.id, data: { path: ["api_token", "id"], equals: id } },
  });
  expect(events).toEqual([]);
  expect(await prisma().accountNotice.findMany({ where: { objectId: id } })).toEqual([]);
});

test("an expired token is deleted after 90 days, and tokens of programs are kept", async () => {
  const user = await signInAs(account, "admin");
  await createToken(user);
  setClock({ offsetMs: 91 * 24 * 60 * MINUTE_MS, frozenAt: null });
  await sweepLeftovers(new AbortController().signal);
  expect(await storedTokens(user)).toEqual([]);
  expect(await statusOf(account.token)).toBe(200);
});

describe.each(ROLES)("a token of a user with the role %s", (role) => {
  test("can call the operations that the role can call, and no others", async () => {
    const user = await signInAs(account, role);
    const token = await createToken(user);
    const wrong: string[] = [];
    const operations = operationsOf(routes).filter(({ path }) => /^\/(v3|simulator)\//.test(path));
    expect(operations.length).toBeGreaterThan(80);
    for (const { method, path, contract } of operations) {
      if (path.endsWith("/stream")) continue;
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name.endsWith("Id") ? UNKNOWN_ID : "+15550199999",
      );
      const body = method === "GET" ? undefined : {};
      const answer = await callApi(`${method} ${target}`, { token, body });
      const isRefused = answer.status === 403 && /the role "/.test(answer.body?.error.message);
      const right = contract.right ?? (contract.sandboxOnly ? "send_messages" : undefined);
      const isAllowed = right !== undefined && roleHasRight({ role }, right);
      if (isRefused === isAllowed) wrong.push(`${method} ${path} ${answer.status}`);
    }
    expect(wrong).toEqual([]);
  });
});

test("every operation of the API names the right that a token of the explorer needs", () => {
  const without = operationsOf(routes)
    .filter(({ path }) => path.startsWith("/v3/"))
    .filter(({ contract }) => contract.right === undefined)
    .map(({ method, path }) => `${method} ${path}`);
  expect(without).toEqual([]);
});

test("the explorer's values are the account's own line, phone and latest resources", async () => {
  const phone = await createTestPhone(account);
  await writeAs(account, phone, { to: account.line, text: "hello" });
  const { chatId, messageId } = await account.sendFirst(phone);
  const user = await signInAs(account, "viewer");
  const { status, body } = await user.call(valuesRoute);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    environment: "sandbox",
    line: account.line,
    phone,
    ids: { chatId, messageId, paymentRequestId: null },
  });
  const stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  expect((await stranger.call(valuesRoute)).body.ids.chatId).toBeNull();
});
