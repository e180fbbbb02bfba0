import { execFile } from "node:child_process";
import { chownSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import type { PostgresHome, SystemUser } from "./postgres-home.ts";

const run = promisify(execFile);

export interface Cluster {
  home: PostgresHome;
  binaries: PostgresBinaries;
  settings: Record<string, string>;
}

/**
 * Creates the cluster unless it exists: UTF-8, code point order, checksums, passwords for everyone. Returns true when
 * it was created.
 */
export async function createCluster({ home, binaries, settings }: Cluster): Promise<boolean> {
  const data = dataFolder(home);
  if (existsSync(path.join(data, "PG_VERSION"))) return false;
  // Created under a temporary name and renamed, so that no crash and no second process leaves or finds half a
  // cluster.
  const unfinished = `${data}.${process.pid}`;
  const passwordFile = `${unfinished}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, home.adminPassword, { mode: 0o600 });
  if (home.user !== undefined) chownSync(passwordFile, home.user.uid, home.user.gid);
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = ["--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  const sync = settings.fsync === "off" ? ["--no-sync"] : [];
  try {
    await run(binaries.initdb, ["-D", unfinished, ...locale, ...access, ...sync], spawnOptions(home));
    renameSync(unfinished, data);
    return true;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (existsSync(path.join(data, "PG_VERSION"))) return false;
    throw new Error(`The database cluster could not be created in ${data}: ${explain(errorOutput(error))}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Returns the directory of the cluster's files. */
export function dataFolder(home: PostgresHome): string {
  return path.join(home.directory, "data");
}

/** Returns the options that start PostgreSQL's programs: as the home's user, without this process's environment. */
export function spawnOptions(
  home: PostgresHome,
): Partial<SystemUser> & { cwd: string; env?: NodeJS.ProcessEnv } {
  const place = { ...home.user, cwd: home.directory };
  // Windows programs need some of the system's variables.
  if (process.platform === "win32") return place;
  return { ...place, env: { NODE_ENV: "production", PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" } };
}

function explain(output: string): string {
  const nameless = output.includes("could not look up effective user ID");
  return nameless ? `${output}. Give this user a name in /etc/passwd, or set DATABASE_URL.` : output;
}

function errorOutput(error: unknown): string {
  if (error instanceof Error && "stderr" in error && error.stderr) return String(error.stderr).trim();
  return error instanceof Error ? error.message : String(error);
}
