import pg from "pg";
import { boundedOptions, makeSettingsByStatement } from "./bounded-client.ts";

const PROBE_MS = 5000;
const PROBE_ROUNDS = 3;

/**
 * Throws an Error that names DATABASE_URL and the fix: when the URL is not a PostgreSQL URL or names several hosts,
 * when the server rejects the connection or does not answer a statement within `answerMs` and a second, or when it is a
 * pooler that shares a session between clients. Behind a pooler that rejects startup settings, this process's connections make their settings with a
 * statement.
 */
export async function requireUsableDatabase(url: string, answerMs = PROBE_MS): Promise<void> {
  requireDatabaseUrl(url);
  const first = probe(url, answerMs);
  const second = probe(url, answerMs);
  try {
    makeSettingsByStatement(!(await takesSettingsAtStartup(url, answerMs)));
    await first.connect();
    await second.connect();
    if (await shareSessions(first, second)) {
      throw new Error(
        "DATABASE_URL points to a connection pooler in transaction mode (such as PgBouncer with pool_mode = transaction). Trunkline requires dedicated sessions for LISTEN, advisory locks and prepared statements. Set DATABASE_URL to PostgreSQL itself or to a pooler with pool_mode = session.",
      );
    }
  } catch (error) {
    throw explained(error, url);
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => undefined)));
  }
}

/** Throws when the text can't be used as DATABASE_URL. The error never contains the password. */
function requireDatabaseUrl(url: string): void {
  const authority = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?([^/?]*)/i.exec(url)?.[1];
  if (authority === undefined) {
    throw new Error(
      "DATABASE_URL is not a PostgreSQL URL. Use the format postgresql://user:password@host:5432/database and percent-encode characters such as @ / ? # in the password.",
    );
  }
  if (authority.includes(",")) {
    throw new Error(
      `DATABASE_URL names several hosts (${authority}). Trunkline supports one host. Use the primary, or a host that always routes to the primary (a DNS name, HAProxy, PgBouncer with pool_mode = session).`,
    );
  }
  if (!URL.canParse(url)) {
    throw new Error(
      "DATABASE_URL is not a valid URL. Percent-encode special characters in the user name and password, and check the port.",
    );
  }
}

function probe(url: string, statementMs: number, options: string | undefined = undefined): pg.Client {
  const bounds = boundedOptions({ url, applicationName: "trunkline start", statementMs });
  const client = new pg.Client({ ...bounds, options });
  client.on("error", () => undefined);
  return client;
}

/** PgBouncer rejects the startup parameter "options", or drops it with `ignore_startup_parameters`. */
async function takesSettingsAtStartup(url: string, answerMs: number): Promise<boolean> {
  const client = probe(url, answerMs, `-c statement_timeout=${answerMs}`);
  try {
    await client.connect();
    const { rows } = await client.query<{ ms: string }>(
      "select extract(epoch from current_setting('statement_timeout')::interval) * 1000 as ms",
    );
    return Number(rows[0]?.ms) === answerMs;
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/i.test(error.message)) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Whether a pooler gives sessions to transactions instead of clients: two clients meet in one session, or a client
 * changes its session. One client is asked twice in a row, for poolers that use their connections in turn, and while
 * the other client holds a session in a transaction, for poolers that use the last one again.
 */
async function shareSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  const [own, other] = [new Set<number>(), new Set<number>()];
  const isShared = () => own.size > 1 || other.size > 1 || [...own].some((pid) => other.has(pid));
  const steps = [
    () => notePid(first, own),
    () => notePid(first, own),
    () => notePid(second, other),
    () => second.query("begin"),
    () => notePid(second, other),
    () => notePid(first, own),
    () => second.query("commit"),
  ];
  for (let round = 0; round < PROBE_ROUNDS; round++) {
    for (const step of steps) {
      await step();
      if (isShared()) return true;
    }
  }
  return false;
}

async function notePid(client: pg.Client, seen: Set<number>): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  if (rows[0] !== undefined) seen.add(rows[0].pid);
}

function explained(error: unknown, url: string): Error {
  if (!(error instanceof Error) || error.message.startsWith("DATABASE_URL")) return error as Error;
  const { hostname, port, pathname, username } = new URL(url);
  const server = `${hostname}:${port || 5432}`;
  const code = "code" in error ? String(error.code) : "";
  const because = (text: string) => new Error(`DATABASE_URL: ${text}`, { cause: error });
  if (/unsupported startup parameter/i.test(error.message)) {
    return because(
      `the pooler at ${server} rejects the connection (${error.message}). Add the parameter to its ignore_startup_parameters, or set DATABASE_URL to PostgreSQL itself.`,
    );
  }
  if (code === "53300")
    return because(
      `${server} has no free connection (${error.message}). Increase max_connections of PostgreSQL or the connection limit of the user ${username}, or stop other programs that use it.`,
    );
  if (code.startsWith("28")) return because(`${server} rejects the user ${username}: ${error.message}.`);
  if (code === "3D000")
    return because(`the database ${pathname.slice(1)} does not exist on ${server}. Create it first.`);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return because(`the host ${hostname} could not be resolved (${code}).`);
  if (code === "ECONNREFUSED")
    return because(`no server is listening on ${server} (ECONNREFUSED). Start PostgreSQL.`);
  if (error.message === "Query read timeout")
    return because(
      `${server} accepts connections but answers no statement. If it is a pooler, it may have no free connection to PostgreSQL: increase its pool (PgBouncer: default_pool_size).`,
    );
  return because(`PostgreSQL on ${server} can't be used: ${error.message || code}`);
}
