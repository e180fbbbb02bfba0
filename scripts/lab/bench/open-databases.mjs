import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../../../lib/platform/postgres/embedded-postgres.ts";
import { WITHOUT_LIMITS } from "../../instance/without-limits.mjs";

/**
 * Starts a PostgreSQL server for measurements, with `settings` in addition to those of an instance. Returns an object
 * with one database per name and functions for the server. Servers with a worker and servers without one need separate
 * databases: the worker would send the messages that the others accepted. `close` deletes the data directory unless
 * `keep` is set.
 */
export async function openDatabases({ names, settings = {}, keep = false }) {
  const dataDir = path.join(os.tmpdir(), `trunkline-bench-${process.pid}`);
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  const { rows } = await admin.query("show server_version");

  const shared = { encryptionKey: randomBytes(32).toString("base64"), dataDir, admin };
  const opened = new Map();
  const open = async (name, template) => {
    opened.set(name, await createDatabase(postgres, name, { ...shared, template }));
    return opened.get(name);
  };
  for (const name of names) await open(name);

  return {
    ...Object.fromEntries(opened),
    dataDir,
    admin,
    pid: postgres.pid,
    version: rows[0].server_version,
    /** The directory of the server's files, which may be outside the data directory. */
    directory: postgres.directory,
    /** The file that PostgreSQL writes its log to. */
    logFile: path.join(path.dirname(postgres.directory), "postgres.log"),
    /** Runs a statement as superuser in the database of this name, by default in `postgres`. */
    queryAsAdmin: (text, name = "postgres") => queryAsAdmin(urlOf(postgres.adminUrl, name), text),
    /** Creates a database with a copy of the contents of `template`. Disconnects from the template meanwhile. */
    async copy(template, name) {
      await opened.get(template).close();
      const copy = await open(name, nameInSql(template));
      await opened.get(template).reconnect();
      return copy;
    },
    async close() {
      await Promise.all([admin.end(), ...[...opened.values()].map((database) => database.close())]);
      await postgres.stop();
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function createDatabase(postgres, name, { encryptionKey, dataDir, admin, template }) {
  const copied = template === undefined ? "" : ` template ${template}`;
  await admin.query(`create database ${nameInSql(name)} owner trunkline${copied}`);
  const url = urlOf(postgres.url, nameInSql(name));
  let client = await connect(url);
  return {
    name: nameInSql(name),
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
    async reconnect() {
      client = await connect(url);
    },
    close: () => client.end(),
  };
}

async function connect(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function queryAsAdmin(url, text) {
  const client = await connect(url);
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(url, database) {
  return url.replace(/\/\w+(?=\?|$)/, `/${database}`);
}

function nameInSql(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
