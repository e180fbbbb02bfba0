import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BUILD = 'const build = await import("./scripts/build.mjs"); await build.buildServerIfStale();';

/** Whether the repository's history has the commit: a shallow clone has only the newest ones. */
export function hasVersion(commit) {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: ROOT }).status === 0;
}

/**
 * Copies the files of a commit into a temporary folder and builds its server, without pages. `install`: with the packages
 * of its own lockfile instead of the ones installed here. Returns the folder as `cwd`, and `remove`. Throws an Error with
 * the output of the command that failed.
 */
export function checkOutVersion(commit, { install = false } = {}) {
  const cwd = mkdtempSync(path.join(tmpdir(), "trunkline-version-"));
  const run = (command, args) => {
    try {
      execFileSync(command, args, { cwd, stdio: "pipe", encoding: "utf8" });
    } catch (error) {
      throw new Error(`${command} failed in ${commit}:\n${error.stdout}\n${error.stderr}`, { cause: error });
    }
  };
  const archive = path.join(cwd, "version.tar");
  execFileSync("git", ["archive", "--output", archive, commit], { cwd: ROOT });
  run("tar", ["--extract", "--file", archive]);
  rmSync(archive);
  if (install) run("npm", ["install", "--no-audit", "--no-fund"]);
  else symlinkSync(path.join(ROOT, "node_modules"), path.join(cwd, "node_modules"));
  run(process.execPath, ["--input-type=module", "--eval", BUILD]);
  return { cwd, remove: () => rmSync(cwd, { recursive: true, force: true }) };
}
