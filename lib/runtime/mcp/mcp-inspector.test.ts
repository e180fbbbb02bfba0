import "@/lib/testing/use-test-database";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { serveApi } from "@/lib/testing/serve-api";
import { installApart } from "@/scripts/install-apart.mjs";

/** The official inspector; null without the registry. */
const inspector = await installApart("@modelcontextprotocol/inspector");

let account: TestAccount;
let api: Awaited<ReturnType<typeof serveApi>>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  api = await serveApi();
});

afterAll(() => api.close());

/** Runs the inspector without its pages. */
async function inspect(token: string, ...args: string[]) {
  const target = ["--cli", `${api.baseUrl}/mcp`, "--transport", "http"];
  const options = ["--header", `Authorization: Bearer ${token}`, "--format", "json", ...args];
  const program = path.join(inspector ?? "", "clients/launcher/build/index.js");
  const child = spawn(process.execPath, [program, ...target, ...options]);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [status] = (await once(child, "close")) as [number];
  return { status, output };
}

const title = "the official inspector lists and calls the tools, and is refused without a valid token";
test.skipIf(inspector === null)(title, async () => {
  const listed = await inspect(account.token, "--method", "tools/list");
  expect(listed.status).toBe(0);
  expect(listed.output).toContain("why_cant_i_message");

  const call = ["--method", "tools/call", "--tool-name", "explain_error", "--tool-arg", "code=2024"];
  const called = await inspect(account.token, ...call);
  expect(called.status).toBe(0);
  expect(called.output).toContain("2024");

  expect((await inspect("tl_sandbox_wrong", "--method", "tools/list")).status).not.toBe(0);
});
