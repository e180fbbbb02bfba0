import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import { createToken } from "@/lib/identity/tokens/create-token";
import { TOKEN_SCOPES } from "@/lib/platform/rights/token-scope";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
});

test("a token reads its own name, account and partner", async () => {
  const { status, body } = await callApi("GET /v3/token", { token: account.token });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    token: { name: "test", scopes: [], expires_at: null },
    account: { id: account.ref.id, name: "main", type: "production", expires_at: null },
    partner: { id: account.ref.partnerId, name: expect.stringMatching(/^Partner /) },
  });
});

test.each(TOKEN_SCOPES)("a token of the scope %s reads its scopes", async (scope) => {
  const { token } = await createToken(account.context(), { name: scope, scopes: [scope] });
  const { status, body } = await callApi("GET /v3/token", { token });
  expect(status).toBe(200);
  expect(body.token).toMatchObject({ name: scope, scopes: [scope] });
});

test("the request log is open to read_only tokens, replays and tests of webhooks to none with a scope", async () => {
  const { token: readOnly } = await createToken(account.context(), { name: "read", scopes: ["read_only"] });
  const { token: messaging } = await createToken(account.context(), { name: "send", scopes: ["messaging"] });
  const subscription = "/v3/webhook-subscriptions/01a00000-0000-7000-8000-000000000000";
  const filter = { statuses: ["failed"] };

  expect((await callApi("GET /v3/requests", { token: readOnly })).status).toBe(200);
  expect((await callApi("GET /v3/requests", { token: messaging })).body.error.code).toBe(2005);
  for (const token of [readOnly, messaging]) {
    const replay = await callApi(`POST ${subscription}/replays`, { token, body: { filter } });
    const testEvent = await callApi(`POST ${subscription}/test`, { token, body: { type: "message.sent" } });
    expect([replay, testEvent].map(({ status }) => status)).toEqual([403, 403]);
  }
});
