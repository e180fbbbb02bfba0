import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { serveApi } from "@/lib/testing/serve-api";
import { toLines } from "@/scripts/cli/conform/print-report";
import { runConform } from "@/scripts/cli/conform/run-conform";

let account: TestAccount;
let api: Awaited<ReturnType<typeof serveApi>>;
let worker: Worker;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  api = await serveApi();
  worker = await startWorker();
});
afterAll(async () => {
  await worker.stop();
  await api.close();
});

test("clean", { timeout: 200_000 }, async () => {
  const t = performance.now();
  const checks = await runConform({
    baseUrl: api.baseUrl,
    token: account.token,
    phones: true,
    listen: "127.0.0.1:0",
    timeoutSeconds: 15,
  });
  console.log(toLines(checks).join("\n"), performance.now() - t);
  expect(1).toBe(1);
});
