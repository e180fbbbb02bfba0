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

/** Makes the cluster unless it is there: UTF-8, order by code point, checksums, passwords for everyone. True when made. */
export async function createCluster({ home, binaries }: Cluster): Promise<boolean> {
  const data = dataFolder(home);
  if (existsSync(path.join(data, "PG_VERSION"))) return false;
  // Made aside and renamed: neither a crash nor a second process can leave or meet half a cluster.
  const unfinished = `${data}.${process.pid}`;
  const passwordFile = `${unfinished}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, home.adminPassword, { mode: 0o600 });
  if (home.user !== undefined) chownSync(passwordFile, home.user.uid, home.user.gid);
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = ["--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  try {
    await run(binaries.initdb, ["-D", unfinished, ...locale, ...access], spawnOptions(home));
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

/** Where the cluster's files are. */
export function dataFolder(home: PostgresHome): string {
  return path.join(home.directory, "data");
}

/** How PostgreSQL's programs are started: as the home's user, knowing nothing of this process's environment. */
export function spawnOptions(
  home: PostgresHome,
): Partial<SystemUser> & { cwd: string; env?: NodeJS.ProcessEnv } {
  const place = { ...home.user, cwd: home.directory };
  // Windows programs need variables of the system's own.
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
