import "@/lib/testing/use-test-database";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "@/lib/platform/postgres/find-free-port";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { until } from "@/lib/testing/until";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const outfile = path.join(root, ".generated", `test-instance-${process.pid}.mjs`);

/** A whole instance with its real API. Pages are stubbed; one of them never responds. */
const SOURCE = `
  import * as stream from "@/app/v3/events/stream/route";
  import { serveInstance } from "@/lib/runtime/server/serve-instance";
  const render = (request, response) => request.url === "/never" || response.end();
  const pages = { prepare: async () => {}, getRequestHandler: () => render, close: async () => {} };
  await serveInstance({ routes: [{ path: "/v3/events/stream", methods: stream }], createNext: () => pages });
`;

let folder: string;
const children: ChildProcess[] = [];

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
  // An instance reads migrations and the build's page data from its working directory.
  folder = mkdtempSync(path.join(tmpdir(), "trunkline-drain-"));
  cpSync(path.join(root, "prisma"), path.join(folder, "prisma"), { recursive: true });
  mkdirSync(path.join(folder, ".next"));
  writeFileSync(path.join(folder, ".next", "prerender-manifest.json"), JSON.stringify({ routes: {} }));
});

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(outfile, { force: true });
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the instance in a separate process. Resolves when it accepts requests. */
async function startInstance(settings: Record<string, string> = {}) {
  const instance = await spawnInstance(settings);
  const { child, output } = instance;
  const failed = once(child, "exit").then(() => Promise.reject(new Error(`it did not start: ${output()}`)));
  await Promise.race([once(child.stdout, "data"), failed]);
  failed.catch(() => undefined);
  return instance;
}

async function spawnInstance(settings: Record<string, string>) {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [outfile], {
    cwd: folder,
    env: {
      ...process.env,
      ROLE: "web",
      HOST: "127.0.0.1",
      PORT: String(port),
      BASE_URL: baseUrl,
      LOG_LEVEL: "error",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return { child, baseUrl, output: () => output };
}

test("on SIGTERM a process ends its event streams in an orderly way, instead of cutting them off", async () => {
  const { child, baseUrl } = await startInstance();
  const account = await createTestAccount({ type: "production" });
  const response = await fetch(`${baseUrl}/v3/events/stream`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  expect(response.status).toBe(200);
  const exit = once(child, "exit");

  child.kill("SIGTERM");

  // Rejects if the connection is cut. The stream may end before it sends `ready`.
  expect(await response.text()).toContain("retry: ");
  expect(await exit).toEqual([0, null]);
});

test("a stop that waits for a request without end is over after SHUTDOWN_SECONDS, and says so", async () => {
  const { child, baseUrl, output } = await startInstance({ SHUTDOWN_SECONDS: "1" });
  const asking = request(`${baseUrl}/never`).end();
  const cut = once(asking, "error");
  // The response arrives on another connection, so the first request has been received.
  await once(asking, "socket").then(([socket]) => once(socket, "connect"));
  expect((await fetch(`${baseUrl}/docs`)).status).toBe(200);
  const exit = once(child, "exit");

  child.kill("SIGTERM");

  // Without a second signal, the process drains for ten seconds and exits with 0.
  expect(await exit).toEqual([1, null]);
  expect(output()).toContain("longer than SHUTDOWN_SECONDS");
  await cut;
});

test("no signal leaves the embedded PostgreSQL running, however early and however often it comes", async () => {
  chmodSync(folder, 0o711);
  const dataDir = path.join(folder, "data");
  const settings = { DATABASE_URL: "", DATA_DIR: dataDir, ROLE: "all" };
  const pidFile = path.join(dataDir, "postgres", "data", "postmaster.pid");
  const early = await spawnInstance(settings);
  const earlyExit = once(early.child, "exit");
  await until(() => existsSync(pidFile));
  early.child.kill("SIGTERM");
  expect(await earlyExit).toEqual([0, null]);
  expect(existsSync(pidFile)).toBe(false);

  const { child } = await startInstance(settings);
  expect(existsSync(pidFile)).toBe(true);
  const exit = once(child, "exit");
  for (const signal of ["SIGHUP", "SIGTERM", "SIGTERM", "SIGINT"] as const) child.kill(signal);
  expect(await exit).toEqual([0, null]);
  expect(existsSync(pidFile)).toBe(false);
}, 120_000);
