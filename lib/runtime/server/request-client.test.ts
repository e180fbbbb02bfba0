import "@/lib/testing/use-test-database";
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeAll, expect, test } from "vitest";
import { prisma } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
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

test.each([
  ["does not count connections of a proxy that is one of the addresses", "10.0.0.0/8, 127.0.0.1", 200],
  ["does not count any connection where a number of proxies stands before the port", "1", 200],
  ["counts connections of other addresses", "10.0.0.0/8", 429],
  ["counts every connection without a trusted proxy", undefined, 429],
])("the limit of connections per address %s", async (_, trustProxy, status) => {
  if (trustProxy !== undefined) process.env.TRUST_PROXY = trustProxy;
  reloadEnv();
  const server = await serveApi({ connectionsPerAddress: 1 });
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");

  const answer = await fetch(`${server.baseUrl}/health`);
  await answer.text();
  socket.destroy();
  await server.close();

  expect(answer.status).toBe(status);
});
