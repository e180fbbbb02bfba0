import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
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
 * of its own lockfile instead of the ones installed here. `packages`: what it needs and is not installed here, as
 * `name@version`. Returns the folder as `cwd`, and `remove`. Throws an Error with the output of the command that failed.
 *
 * @param {string} commit
 * @param {{ install?: boolean, packages?: readonly string[] }} [options]
 */
export function checkOutVersion(commit, { install = false, packages = [] } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "trunkline-version-"));
  const cwd = path.join(folder, "version");
  mkdirSync(cwd);
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
  // Node also looks for packages beside the folder of the version.
  if (packages.length > 0)
    run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...packages]);
  run(process.execPath, ["--input-type=module", "--eval", BUILD]);
  return { cwd, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
