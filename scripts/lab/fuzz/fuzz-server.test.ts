import "@/lib/testing/use-test-database";

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { routePaths } from "../../generate-routes.mjs";
import { faultOf } from "./check-answer.mjs";
import { fuzzServer } from "./fuzz-server.mjs";

const SEED = 9;
const COUNT = 600;

let api: Awaited<ReturnType<typeof serveApi>>;

beforeAll(async () => {
  api = await serveApi();
});
afterAll(() => api.close());

// scripts/lab/fuzz.mjs runs longer, on the production server.
test("random requests to every route get a success, a page, or a failure in its envelope", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const handle = await createTestPhone(account);
  const { chatId, messageId } = await account
    .sendFirst(handle)
    .catch(() => ({ chatId: handle, messageId: handle }));
  const { body } = await callApi("GET /v3/phone_numbers", { token: account.token });
  const { cookie } = await signInAs(account, "admin");
  const { faults, statuses } = await fuzzServer({
    port: api.port,
    seed: SEED,
    count: COUNT,
    paths: routePaths(),
    openapi: JSON.parse(readFileSync("openapi.json", "utf8")),
    known: [chatId, messageId, handle, account.line, body.phone_numbers[0].id],
    identities: [
      [],
      [`Authorization: Bearer ${account.token}`],
      [`X-SERVICE-INTEGRATION-TOKEN: ${account.token}`],
      [`Cookie: ${cookie}`, "Origin: http://127.0.0.1"],
    ],
  });

  expect(faults).toEqual([]);
  for (const status of [200, 400, 401, 404, 405]) expect(Object.keys(statuses)).toContain(String(status));
}, 120_000);

test("the check reports a missing answer, a missing envelope, and an unintended failure", () => {
  const trace = "0".repeat(32);
  const answer = (status: number, body: string, type = "application/json") =>
    Buffer.from(`HTTP/1.1 ${status} X\r\nx-trace-id: ${trace}\r\ncontent-type: ${type}\r\n\r\n${body}`);
  const envelope = (status: number, code: number) =>
    JSON.stringify({ success: false, error: { status, code }, trace_id: trace });
  const get = "GET / HTTP/1.1";

  expect(faultOf(get, Buffer.from(""))).toBe("no answer");
  expect(faultOf(get, Buffer.from("HTTP/1.1 200 OK\r\na: b\r\n\r\n"))).toBe("200 without a trace id");
  expect(faultOf(get, answer(404, ""))).toBe("404 without envelope");
  expect(faultOf(get, answer(500, envelope(500, 3006)))).toBe("500/3006");
  expect(faultOf(get, answer(500, "<p>x", "text/html"))).toBe("500 as a page");
  expect(faultOf(get, answer(404, envelope(400, 1003)))).toBe("404 without envelope");
  expect(faultOf(get, answer(404, envelope(404, 1003)))).toBeNull();
  expect(faultOf(get, answer(503, envelope(503, 4010)))).toBeNull();
  expect(faultOf(get, answer(404, "<p>x", "text/html"))).toBeNull();
  const rpc = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "x" } });
  expect(faultOf("POST /mcp HTTP/1.1", answer(400, rpc))).toBeNull();
  expect(faultOf(get, answer(400, rpc))).toBe("400 without envelope");
});
