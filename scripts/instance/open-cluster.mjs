import { randomBytes } from "node:crypto";
import pg from "pg";
import { startEmbeddedPostgres } from "../../lib/platform/postgres/embedded-postgres.ts";
import { readFirstRun } from "./open-instance.mjs";
import { SHORT_LEASES } from "./short-leases.mjs";
import { startServer } from "./start-server.mjs";
import { startWorker } from "./start-worker.mjs";
import { WITHOUT_LIMITS } from "./without-limits.mjs";

/**
 * Starts a PostgreSQL server in `dataDir` and processes of any role on it, as on several machines. The first web
 * process creates the demo. `cwd` is the folder of another version.
 */
export async function openCluster(dataDir) {
  const postgres = await startEmbeddedPostgres({ dataDir });
  const database = new pg.Pool({ connectionString: postgres.url, max: 2 });
  // The server can close an idle connection before the pool removes it.
  database.on("connect", (client) => client.on("error", () => undefined));
  const env = {
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    DATA_DIR: dataDir,
    SEED_DEMO: "1",
    ...WITHOUT_LIMITS,
    ...SHORT_LEASES,
  };

  return {
    /** The settings of its processes, for commands that use the same database. */
    env,
    startWeb: (more = {}, cwd) => startServer({ ...env, ROLE: "web", ...more }, cwd),
    startWorker: (more = {}, cwd) => startWorker({ ...env, ...more }, cwd),
    /** The contents of first-run.json: the demo's token, line, phone and more. */
    firstRun: () => readFirstRun(dataDir),
    query: async (text, values) => (await database.query(text, values)).rows,
    async close() {
      await database.end();
      await postgres.stop();
    },
  };
}
