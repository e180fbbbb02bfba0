import "server-only";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { childEnvironment, env } from "@/lib/platform/env";

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 10_000_000;

/** pg_dump or pg_restore, which must be at least as new as the server. */
export interface PostgresTool {
  command: string;
  /** The major version, such as 18. */
  major: number;
}

/**
 * Finds a program of PostgreSQL: in the folder PG_BIN, otherwise in PATH. Throws an Error that says what to install
 * when it is missing or older than the server, because an older one refuses the server's data.
 */
export async function findPostgresTool(
  name: "pg_dump" | "pg_restore",
  serverMajor: number,
): Promise<PostgresTool> {
  const folder = env().PG_BIN;
  const command = folder === undefined ? name : `${folder}/${name}`;
  const advice = `Install PostgreSQL ${serverMajor}'s client programs (package postgresql-client-${serverMajor}), and set PG_BIN to their folder if they are not in PATH.`;
  const version = await run(command, ["--version"]).then(
    ({ stdout }) => stdout,
    () => {
      throw new Error(`${command} was not found. ${advice}`);
    },
  );
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(version)?.[1]);
  if (!(major >= serverMajor)) {
    throw new Error(
      `${command} is version ${major}, but the server is version ${serverMajor}: ${name} must be at least as new. ${advice}`,
    );
  }
  return { command, major };
}

/** Runs the tool with a database URL. The password is passed in the environment, which other users can't read. */
export async function runPostgresTool(
  { command }: PostgresTool,
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = "";
  try {
    await run(command, [...args, `--dbname=${url.toString()}`], {
      env: childEnvironment(password === "" ? {} : { PGPASSWORD: password }),
      maxBuffer: MAX_OUTPUT_BYTES,
    });
  } catch (error) {
    throw new Error(`${command} failed: ${String((error as { stderr?: string }).stderr ?? error).trim()}`);
  }
}
