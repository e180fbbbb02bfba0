import "@/lib/testing/use-test-database";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "@/lib/platform/find-free-port";
import { createTestAccount } from "@/lib/testing/create-test-account";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const outfile = path.join(root, ".generated", `test-instance-${process.pid}.mjs`);

/** The whole instance with its real API. Pages are Next's, and no promise here is about them. */
const SOURCE = `
  import * as stream from "@/app/v3/events/stream/route";
  import { serveInstance } from "@/lib/runtime/server/serve-instance";
  const pages = { prepare: async () => {}, getRequestHandler: () => (_, response) => response.end(), close: async () => {} };
  await serveInstance({ routes: [{ path: "/v3/events/stream", methods: stream }], createNext: () => pages });
`;

let child: ChildProcess;
let folder: string;
let baseUrl: string;

beforeAll(async () => {
  await build({
    stdin: { contents: SOURCE, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    packages: "external",
    alias: { "server-only": path.join(root, "lib/testing/server-only.ts") },
    logLevel: "warning",
  });
  // An instance reads the migrations and what the build says of its pages below its working directory.
  folder = mkdtempSync(path.join(tmpdir(), "trunkline-drain-"));
  cpSync(path.join(root, "prisma"), path.join(folder, "prisma"), { recursive: true });
  mkdirSync(path.join(folder, ".next"));
  writeFileSync(path.join(folder, ".next", "prerender-manifest.json"), JSON.stringify({ routes: {} }));
  const port = await findFreePort();
  baseUrl = `http://127.0.0.1:${port}`;
  child = spawn(process.execPath, [outfile], {
    cwd: folder,
    env: { ...process.env, ROLE: "web", HOST: "127.0.0.1", PORT: String(port), BASE_URL: baseUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error("the process has no output");
  const failed = once(child, "exit").then(() => Promise.reject(new Error("the instance did not start")));
  await Promise.race([once(stdout, "data"), failed]);
  failed.catch(() => undefined);
});

afterAll(() => {
  child.kill("SIGKILL");
  rmSync(outfile, { force: true });
  rmSync(folder, { recursive: true, force: true });
});

test("on SIGTERM a process ends its event streams in an orderly way, instead of cutting them off", async () => {
  const account = await createTestAccount({ type: "production" });
  const response = await fetch(`${baseUrl}/v3/events/stream`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  expect(response.status).toBe(200);
  const exit = once(child, "exit");

  child.kill("SIGTERM");

  // A connection that is cut rejects here. The stream may end before it has said that it is ready.
  expect(await response.text()).toContain("retry: ");
  expect(await exit).toEqual([0, null]);
});
