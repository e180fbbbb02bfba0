import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withBuildLock } from "@/scripts/build-lock.mjs";

const MODULE = fileURLToPath(new URL("build-lock.mjs", import.meta.url));
const PROGRAM = `
  import { appendFileSync } from "node:fs";
  import { setTimeout as sleep } from "node:timers/promises";
  import { withBuildLock } from ${JSON.stringify(MODULE)};
  const [lock, log] = process.argv.slice(1);
  await withBuildLock(lock, async () => {
    appendFileSync(log, "begins ");
    await sleep(100);
    appendFileSync(log, "ends ");
  });`;

let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trunkline-lock-"));
  lock = path.join(folder, "dist", "building");
  mkdirSync(path.dirname(lock));
});

afterEach(() => rmSync(folder, { recursive: true }));

test("builds of one folder take turns, also after one that was killed", async () => {
  const log = path.join(folder, "log");
  // A process that is alive got the id of the killed build.
  writeFileSync(lock, `${hostname()}:${process.pid} killed`);
  const killedAt = new Date(Date.now() - 61_000);
  utimesSync(lock, killedAt, killedAt);
  const builds = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, lock, log], { stdio: "inherit" }),
  );
  for (const code of await Promise.all(builds.map((build) => once(build, "exit")))) expect(code[0]).toBe(0);
  expect(readFileSync(log, "utf8")).toBe("begins ends ".repeat(3));
  expect(existsSync(lock)).toBe(false);
});

test("a build at once replaces the lock of a killed one that had its process id, as in a container", async () => {
  writeFileSync(lock, `${hostname()}:${process.pid} killed`);
  expect(await withBuildLock(lock, async () => "built")).toBe("built");
  expect(existsSync(lock)).toBe(false);
});

test("a build of the same process waits for the one before", async () => {
  const order: string[] = [];
  const build = (name: string) =>
    withBuildLock(lock, async () => {
      order.push(`${name} begins`);
      await sleep(50);
      order.push(`${name} ends`);
    });
  await Promise.all([build("first"), build("second")]);
  expect(order).toEqual(["first begins", "first ends", "second begins", "second ends"]);
});

test("a build removes only its own lock", async () => {
  await withBuildLock(lock, async () => writeFileSync(lock, "1 another"));
  expect(readFileSync(lock, "utf8")).toBe("1 another");
});

test("a build that exits leaves no lock", () => {
  const program = `
    import { withBuildLock } from ${JSON.stringify(MODULE)};
    await withBuildLock(process.argv[1], async () => process.exit(3));`;
  expect(spawnSync(process.execPath, ["--input-type=module", "-e", program, lock]).status).toBe(3);
  expect(existsSync(lock)).toBe(false);
});
