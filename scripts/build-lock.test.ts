import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

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

test("builds of one folder take turns, also after one that was killed", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trunkline-lock-"));
  const [lock, log] = [path.join(folder, "dist", "building"), path.join(folder, "log")];
  const ended = spawnSync(process.execPath, ["-e", "console.log(process.pid)"], { encoding: "utf8" }).stdout;
  spawnSync("mkdir", ["-p", path.dirname(lock)]);
  writeFileSync(lock, ended.trim());
  const builds = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, lock, log], { stdio: "inherit" }),
  );
  for (const code of await Promise.all(builds.map((build) => once(build, "exit")))) expect(code[0]).toBe(0);
  expect(readFileSync(log, "utf8")).toBe("begins ends ".repeat(3));
  expect(existsSync(lock)).toBe(false);
  rmSync(folder, { recursive: true });
});
