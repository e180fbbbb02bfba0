import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { serveApi } from "@/lib/testing/serve-api";
import { bundleCli } from "@/scripts/cli/bundle-cli";

let api: Awaited<ReturnType<typeof serveApi>>;
let worker: Worker;
let cli: Awaited<ReturnType<typeof bundleCli>>;

beforeAll(async () => {
  const { token } = await createTestAccount({ type: "sandbox" });
  api = await serveApi();
  worker = await startWorker();
  cli = await bundleCli({ url: api.baseUrl, token });
});

afterAll(async () => {
  await cli.remove();
  await worker.stop();
  await api.close();
});

const run: typeof cli.run = (...call) => cli.run(...call);

describe("state of the account", () => {
  test("a snapshot is created, listed, restored by its name and deleted by its ID", async () => {
    expect((await run(["snapshot"])).stdout).toBe("No snapshots.\n");
    await run(["phone", "+15550108101", "say", "before"]);
    const created = await run(["snapshot", "create", "with a message", "--json"]);
    expect(created.status).toBe(0);
    const { id } = created.json();
    expect((await run(["snapshot", "list", "--json"])).json().snapshots).toMatchObject([
      { id, name: "with a message" },
    ]);
    expect((await run(["snapshot", "list"])).stdout).toMatch(
      new RegExp(`${id}  \\d+ rows, \\d+ KB  with a message`),
    );

    await run(["phone", "+15550108101", "say", "after"]);
    const restored = await run(["snapshot", "restore", "with a message", "--yes"]);
    expect(restored).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Restored "with a message"'),
    });
    const inbox = await run(["phone", "+15550108101", "inbox"]);
    expect(inbox.stdout).toContain("before");
    expect(inbox.stdout).not.toContain("after");

    expect((await run(["snapshot", "delete", id, "--yes", "--json"])).json()).toMatchObject({ deleted: id });
    expect((await run(["snapshot", "list"])).stdout).toBe("No snapshots.\n");
  });

  test("reset deletes the conversations and keeps the token", async () => {
    await run(["phone", "+15550108102", "say", "soon gone"]);
    const { status, json } = await run(["reset", "--yes", "--json"]);
    expect([status, json()]).toEqual([0, { reset: true }]);
    expect((await run(["phone", "+15550108102", "inbox"])).status).toBe(1);
    expect((await run(["whoami"])).status).toBe(0);
  });

  test.each([
    [["reset"], 2, /Pass --yes to confirm. Nothing was deleted/],
    [["reset", "--json"], 2, /Pass --yes/],
    [["snapshot", "restore", "none", "--yes"], 1, /no snapshot "none".*trunkline snapshot list/],
    [["snapshot", "create"], 2, /missing required argument/],
    [["snapshot", "delete", "none"], 1, /no snapshot "none"/],
  ] as const)("%j exits with %i", async (args, status, message) => {
    const result = await run(args);
    expect([result.status, result.stdout]).toEqual([status, ""]);
    expect(result.stderr).toMatch(message);
  });

  test("a production account has neither snapshots nor a reset", async () => {
    const { token } = await createTestAccount({ type: "production" });
    for (const args of [
      ["snapshot", "list"],
      ["reset", "--yes"],
    ]) {
      const { status, stderr } = await run(args, { token });
      expect([args, status]).toEqual([args, 1]);
      expect(stderr).toContain("2011");
    }
  });
});
