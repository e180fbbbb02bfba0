import "@/lib/testing/use-test-database";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { AllowedAddresses } from "@/lib/identity/tokens/allowed-addresses";
import { createToken } from "@/lib/identity/tokens/create-token";
import { expireTokens } from "@/lib/identity/tokens/expire-tokens";
import { scopeCoverage } from "@/lib/identity/tokens/require-scope";
import { rollToken } from "@/lib/identity/tokens/roll-token";
import { updateToken } from "@/lib/identity/tokens/update-token";
import { prisma, sql } from "@/lib/platform/database/db";
import { runForClient } from "@/lib/platform/http/request-client";
import { newId } from "@/lib/platform/ids";
import { TOKEN_SCOPES, type TokenScope } from "@/lib/platform/rights/token-scope";
import { now, setClock } from "@/lib/platform/time/clock";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

const DAY_MS = 86_400_000;
const GO_ON = new AbortController().signal;

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(() => setClock(null));

function advance(ms: number): void {
  setClock({ offsetMs: now().getTime() - Date.now() + ms, frozenAt: null });
}

async function sendRequest(token: string, from: string | null = null): Promise<[number, number | undefined]> {
  const { status, body } = await runForClient({ address: from, userAgent: null }, () =>
    callApi("GET /v3/phone_numbers", { token }),
  );
  return [status, body.error?.code];
}

async function eventsOf(tokenId: string): Promise<string[]> {
  const events = await prisma().event.findMany({
    where: { accountId: account.ref.id, data: { path: ["api_token", "id"], equals: tokenId } },
    orderBy: { seq: "asc" },
  });
  return events.map(({ type }) => type.replace("api_token.", ""));
}

async function auditsOf(tokenId: string): Promise<string[]> {
  const entries = await prisma().auditEntry.findMany({
    where: { objectId: tokenId },
    orderBy: { id: "asc" },
  });
  return entries.map(({ action }) => action.replace("api_token.", ""));
}

function openNotices(tokenId: string) {
  return prisma().accountNotice.findMany({ where: { objectId: tokenId, dismissedAt: null } });
}

/** Whether a scope covers an operation, as documented. */
function isCovered(method: string, path: string, scope: TokenScope): boolean {
  const isAgentPayment = /^\/v3\/payments(\/|$)/.test(path);
  const isPayment = isAgentPayment || path.startsWith("/v3/payment_requests");
  const ofTheAccount =
    /^\/(v3\/(webhook|events|requests|consumers)|simulator\/events|v1\/webhook-logs|partner-id)/.test(path);
  if (path === "/mcp" || path === "/v3/token") return true;
  // The token of the new account has full access.
  if (path === "/simulator/accounts") return false;
  const isRead = method === "GET" || path.startsWith("/v3/capability/");
  if (scope === "read_only") return isRead && !isAgentPayment;
  return scope === "payments" ? isPayment : !isPayment && !ofTheAccount;
}

describe.each(TOKEN_SCOPES)("a token restricted to %s", (scope) => {
  let token: string;

  beforeAll(async () => {
    ({ token } = await createToken(account.context(), { name: scope, scopes: [scope] }));
  });

  test("reaches every route its scope covers, and gets 403/2005 from every other", async () => {
    for (const { method, path, contract } of operationsOf(routes)) {
      const filled = path.replaceAll(/\{\w+\}/g, "none");
      // An invalid value, so that a scope that allows streams gets an error and no stream stays open.
      const query = path === "/v3/events/stream" ? "?version=none" : "";
      const body = contract.body === undefined ? undefined : {};
      const answer = await callApi(`${method} ${filled}${query}`, { token, body });
      const refused = String(answer.body?.error?.message).includes(`this token is restricted to ${scope}`);
      expect([method, path, refused]).toEqual([method, path, !isCovered(method, path, scope)]);
      if (refused) expect([answer.status, answer.body.error.code]).toEqual([403, 2005]);
    }
  });
});

test("the documented table of scopes has every section of the API", () => {
  const tags = new Set(["V2", ...operationsOf(routes).map(({ contract }) => contract.tag)]);
  expect(
    scopeCoverage()
      .map(({ tag }) => tag)
      .sort(),
  ).toEqual([...tags].sort());
});

test("a V2 operation needs the scope messaging", async () => {
  const call = async (scope: TokenScope) => {
    const { token } = await createToken(account.context(), { name: "v2", scopes: [scope] });
    return (
      await callApi("GET /v2/chats/1/migrate_to_v3", { headers: { "x-service-integration-token": token } })
    ).status;
  };
  expect(await call("payments")).toBe(403);
  expect(await call("messaging")).not.toBe(403);
});

describe("expiry", () => {
  test("a token is refused from its time on, announced seven days and one day before, and reported once", async () => {
    const ctx = account.context();
    const { token, api_token } = await createToken(ctx, { name: "Short", expires_in_days: 30 });
    expect(api_token.expires_at).toBe(new Date(ctx.now.getTime() + 30 * DAY_MS).toISOString());
    await expireTokens(GO_ON);
    expect(await openNotices(api_token.id)).toEqual([]);

    advance(23.5 * DAY_MS);
    await expireTokens(GO_ON);
    await expireTokens(GO_ON);
    expect(await openNotices(api_token.id)).toMatchObject([
      { severity: "warning", title: 'API token "Short" expires within 7 days' },
    ]);

    advance(6 * DAY_MS);
    await expireTokens(GO_ON);
    expect(await openNotices(api_token.id)).toMatchObject([
      { severity: "critical", title: 'API token "Short" expires within a day' },
    ]);
    expect((await sendRequest(token))[0]).toBe(200);

    advance(DAY_MS);
    expect(await sendRequest(token)).toEqual([401, 2004]);
    await expireTokens(GO_ON);
    await expireTokens(GO_ON);
    expect(await openNotices(api_token.id)).toMatchObject([{ title: 'API token "Short" has expired' }]);
    expect(await eventsOf(api_token.id)).toEqual(["created", "expired"]);
    expect(await auditsOf(api_token.id)).toEqual(["created", "expired"]);
  });

  test("can be set and lifted; each change is an event", async () => {
    const { api_token } = await createToken(account.context(), { name: "Changing" });
    const params = { tokenId: api_token.id };
    await updateToken(account.context(), { params, body: { expires_in_days: 90 } });
    await updateToken(account.context(), { params, body: { expires_in_days: null, name: "Renamed" } });
    const types = ["created", "expiry_scheduled", "renamed", "activated"];
    expect(await eventsOf(api_token.id)).toEqual(types);
    expect(await auditsOf(api_token.id)).toEqual(["created", "updated", "updated"]);
  });
});

describe("addresses", () => {
  test("a token works only from the ranges it allows", async () => {
    const allowed_addresses = AllowedAddresses.parse(["192.0.2.0/24", "2001:db8::1"]);
    const { token } = await createToken(account.context(), { name: "Office", allowed_addresses });
    expect((await sendRequest(token, "192.0.2.77"))[0]).toBe(200);
    expect((await sendRequest(token, "::ffff:192.0.2.77"))[0]).toBe(200);
    expect((await sendRequest(token, "2001:db8::1"))[0]).toBe(200);
    for (const from of ["192.0.3.1", "2001:db8::2", null]) {
      expect(await sendRequest(token, from)).toEqual([403, 2005]);
    }
  });

  test.each(["192.0.2.0/33", "example.com", "", "192.0.2"])("%j is no range", (text) => {
    expect(AllowedAddresses.safeParse([text]).success).toBe(false);
  });
});

describe("a roll", () => {
  test("leaves the old token valid for the overlap, and the new one has its limits", async () => {
    const limits = { scopes: ["messaging" as const], expires_in_days: 90 as const };
    const old = await createToken(account.context(), { name: "Rolled", ...limits });
    const fresh = await rollToken(account.context(), {
      params: { tokenId: old.api_token.id },
      body: { overlap_hours: 24 },
    });
    expect(fresh.api_token).toMatchObject({ name: "Rolled", scopes: ["messaging"] });
    expect([(await sendRequest(old.token))[0], (await sendRequest(fresh.token))[0]]).toEqual([200, 200]);

    advance(DAY_MS + 1000);
    expect([(await sendRequest(old.token))[0], (await sendRequest(fresh.token))[0]]).toEqual([401, 200]);
    await expireTokens(GO_ON);
    expect(await openNotices(old.api_token.id)).toEqual([]);
    expect(await eventsOf(old.api_token.id)).toEqual(["created", "expiry_scheduled", "expired"]);
    expect(await auditsOf(old.api_token.id)).toEqual(["created", "rolled", "expired"]);
  });

  test("without an overlap revokes the old token; a revoked one cannot be rolled", async () => {
    const old = await createToken(account.context(), { name: "Leaked" });
    const input = { params: { tokenId: old.api_token.id }, body: { overlap_hours: 0 } };
    const fresh = await rollToken(account.context(), input);
    expect([(await sendRequest(old.token))[0], (await sendRequest(fresh.token))[0]]).toEqual([401, 200]);
    const [rolled] = await sql.runText<{ detail: unknown }>({
      text: "select detail from audit_entries where account_id = $1 and object_id = $2 and action = 'api_token.rolled'",
      values: [account.ref.id, old.api_token.id],
    });
    expect(rolled?.detail).toEqual({ overlap_hours: 0, replaced_by: fresh.api_token.id });
    await expect(rollToken(account.context(), input)).rejects.toMatchObject({ errorName: "state_conflict" });
  });

  test("of another account's token is refused", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const { api_token } = await createToken(other.context(), { name: "Theirs" });
    const body = { overlap_hours: 0 };
    const roll = (tokenId: string) => rollToken(account.context(), { params: { tokenId }, body });
    await expect(roll(api_token.id)).rejects.toMatchObject({ errorName: "access_denied" });
    await expect(roll(newId(Date.now()))).rejects.toMatchObject({ errorName: "name_unknown" });
  });
});
