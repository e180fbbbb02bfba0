// Runs before each test file. Files share a process and its modules, so this resets the environment and shared state. A
// file that imports lib/testing/use-test-database gets its own database and folder.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, vi } from "vitest";
import { closeDatabase } from "@/lib/platform/database/db";
import { readersOf, TOPICS } from "@/lib/platform/database/wake";
import { reloadEnv } from "@/lib/platform/env";
import { createTestDatabase } from "@/lib/testing/template-database";

const shared = globalThis as typeof globalThis & {
  firstEnvironment?: NodeJS.ProcessEnv;
  realEnvironment?: NodeJS.ProcessEnv;
};
shared.firstEnvironment ??= { ...process.env };
shared.realEnvironment ??= process.env;
process.env = shared.realEnvironment;

// The first hook that is registered runs last: after everything that a file stops.
afterAll(requireNothingRuns);
// What a file replaced is not that of the next file.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const database = usesDatabase() ? await createTestDatabase() : null;
// Resets everything at once, so that work left by the previous file can't restore its state in between.
restoreEnvironment(shared.firstEnvironment);
for (const name of Object.keys(globalThis)) {
  if (name.startsWith("trunkline") && name !== "trunklineLog") Reflect.deleteProperty(globalThis, name);
}
if (database !== null) {
  // Tests without a database call this themselves if they need it, because it loads much of the service.
  (await import("@/lib/runtime/wiring/register-dependencies")).registerDependencies();
  const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-test-files-"));
  process.env.DATABASE_URL = database.url;
  process.env.DATA_DIR = dataDir;
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
}
reloadEnv();
// A changed variable must take effect even if the configuration was read before.
process.env = new Proxy(process.env, {
  set: (variables, name, value) => setAndReload(() => Reflect.set(variables, name, value)),
  deleteProperty: (variables, name) => setAndReload(() => Reflect.deleteProperty(variables, name)),
});

function setAndReload(change: () => boolean): boolean {
  reloadEnv();
  return change();
}

function usesDatabase(): boolean {
  const { testPath } = expect.getState();
  return testPath !== undefined && readFileSync(testPath, "utf8").includes("lib/testing/use-test-database");
}

function restoreEnvironment(first: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in first)) delete process.env[name];
  Object.assign(process.env, first);
}

/**
 * Fails a file that leaves a queue or a stream running, because it would read the database of the next file. The reader
 * of "accounts" only empties a cache, for as long as the process runs.
 */
function requireNothingRuns(): void {
  const running = TOPICS.filter((topic) => topic !== "accounts" && readersOf(topic) > 0);
  if (running.length > 0) throw new Error(`still running at the end of the file: ${running.join(", ")}`);
}
