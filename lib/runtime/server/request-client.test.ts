import "@/lib/testing/use-test-database";
import { afterEach, beforeAll, expect, test } from "vitest";
import { prisma } from "@/lib/platform/db";
import { reloadEnv } from "@/lib/platform/env";
import { startRequestLog } from "@/lib/runtime/http/observe-requests";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { serveApi } from "@/lib/testing/serve-api";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(() => {
  delete process.env.TRUST_PROXY;
  reloadEnv();
});

test.each([
  ["is the connection's without TRUST_PROXY, whatever the client claims", undefined, "127.0.0.1"],
  ["is what the trusted proxy says with TRUST_PROXY", "1", "203.0.113.40"],
])("the address in the request log %s", async (_, trustProxy, address) => {
  if (trustProxy !== undefined) process.env.TRUST_PROXY = trustProxy;
  reloadEnv();
  const server = await serveApi();
  const requestLog = startRequestLog();

  const answer = await fetch(`${server.baseUrl}/v3/phone_numbers`, {
    headers: { authorization: `Bearer ${account.token}`, "x-forwarded-for": "6.6.6.6, 203.0.113.40" },
  });
  await answer.text();
  await requestLog.stop();
  await server.close();

  const traceId = answer.headers.get("x-trace-id") ?? "";
  const [logged] = await prisma().apiRequest.findMany({ where: { accountId: account.ref.id, traceId } });
  expect(logged?.address).toBe(address);
});
