import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../../lib/platform/embedded-postgres.ts";
import { WITHOUT_LIMITS } from "../instance/without-limits.mjs";

// For the parts that count statements.
const STATEMENT_COUNTS = { shared_preload_libraries: "pg_stat_statements" };

/**
 * Starts a PostgreSQL server for the benchmark with two databases: one for servers without a worker and one for the
 * server with a worker, which would otherwise send the messages that the others accepted.
 */
export async function openDatabases() {
  const dataDir = path.join(os.tmpdir(), `trunkline-bench-${process.pid}`);
  const postgres = await startEmbeddedPostgres({ dataDir, settings: STATEMENT_COUNTS });
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query("create database with_worker owner trunkline");
  const { rows } = await admin.query("show server_version");
  // A setting of the start could not be changed while the server runs.
  await admin.query("alter system set pg_stat_statements.track = 'none'");
  await admin.query("select pg_reload_conf()");

  const shared = { encryptionKey: randomBytes(32).toString("base64"), dataDir, admin };
  const withoutWorker = await openDatabase(postgres.url, shared);
  const withWorkerUrl = postgres.url.replace(/\/trunkline(?=\?|$)/, "/with_worker");
  const withWorker = await openDatabase(withWorkerUrl, shared);

  return {
    dataDir,
    admin,
    pid: postgres.pid,
    version: rows[0].server_version,
    withoutWorker,
    withWorker,
    async close() {
      await Promise.all([admin.end(), withoutWorker.close(), withWorker.close()]);
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function openDatabase(url, { encryptionKey, dataDir, admin }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    url,
    // Limits are off because the benchmark measures capacity.
    env: {
      DATABASE_URL: url,
      ENCRYPTION_KEY: encryptionKey,
      DATA_DIR: path.join(dataDir, "files"),
      ...WITHOUT_LIMITS,
    },
    async query(text, values) {
      return (await client.query(text, values)).rows;
    },
    /** Flushes what earlier measurements left in memory, so that no measurement pays for another. */
    async settle() {
      await admin.query("checkpoint");
    },
    close: () => client.end(),
  };
}
