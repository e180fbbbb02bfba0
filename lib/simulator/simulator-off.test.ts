import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { GET as getDocument } from "@/app/docs/openapi-simulator.json/route";
import { setClock } from "@/lib/platform/time/clock";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { createApiRouter } from "@/lib/runtime/server/api-router";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

const operations = operationsOf(routes).filter(({ path }) => path.startsWith("/simulator"));

let sandbox: TestAccount;
let production: TestAccount;

beforeAll(async () => {
  sandbox = await createTestAccount({ type: "sandbox" });
  production = await createTestAccount({ type: "production" });
});

afterEach(() => {
  delete process.env.SIMULATOR;
  setClock(null);
});

const pathOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, "%2B12025550123");

test.each(operations)("$method $path answers no production account", async ({ method, path, contract }) => {
  const body = contract.body === undefined ? undefined : {};
  const { status, body: answer } = await callApi(`${method} ${pathOf(path)}`, {
    token: production.token,
    body,
  });
  expect([status, answer.error.code]).toEqual([403, 2011]);
});

test("with SIMULATOR=off every path of the simulator is unknown, as any other", async () => {
  process.env.SIMULATOR = "off";
  const router = createApiRouter(routes);
  const answerOf = async (method: string, path: string) => {
    const headers = { authorization: `Bearer ${sandbox.token}` };
    const response = await router.fetch(new Request(`http://trunkline.test${path}`, { method, headers }));
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    return [response.status, response.headers.get("allow"), error.code];
  };
  const unknown = await answerOf("GET", "/simulator/nothing");
  expect(unknown).toEqual([404, null, 1003]);
  for (const { method, path } of operations) expect(await answerOf(method, pathOf(path))).toEqual(unknown);
  expect(getDocument().status).toBe(404);
  expect(router.knows("GET", "/simulator/phones")).toBe(false);
  expect(router.knows("GET", "/v3/chats")).toBe(true);
});

test("with SIMULATOR=off no error names the simulator", async () => {
  const limited = await createTestAccount({ type: "sandbox", limited: true });
  await callApi("PUT /simulator/limits", { token: limited.token, body: { requests_per_minute: 1 } });
  process.env.SIMULATOR = "off";
  setClock({ offsetMs: 0, frozenAt: new Date("2026-03-01T12:00:00Z") });
  const look = () => callApi("GET /v3/chats", { token: limited.token });
  await look();
  const refused = await look();
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    expect.not.stringContaining("simulator"),
  ]);
});
