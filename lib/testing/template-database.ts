import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import pg from "pg";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../platform/postgres/embedded-postgres.ts";
import { applyMigrations } from "../platform/postgres/migrate.ts";
import { findDebianPostgres, startDebianPostgres } from "./database/debian-postgres.ts";
import { createMemoryFolder } from "./memory-folder.ts";

const TEMPLATE = "trunkline_template";

interface TestServer {
  /** The connection URL of the superuser. */
  adminUrl: string;
  /** The connection URL of the application's user. */
  url: string;
}

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

export interface TestDatabase {
  /** The connection URL of the application's user, who owns this database. */
  url: string;
  drop(): Promise<void>;
}

/**
 * Vitest's global setup: one PostgreSQL server for the whole run, with a migrated template database. Uses the embedded
 * server, or with TEST_POSTGRES=debian the one installed from Debian's packages. Returns a function that stops it.
 */
export default async function startTestServer(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = createMemoryFolder("trunkline-test-");
  const server = await startServer(dataDir);
  const stop = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await query(server.adminUrl, `create database ${TEMPLATE} owner trunkline`);
    await applyMigrations(withDatabase(server.url, TEMPLATE));
    project.provide("testServer", { adminUrl: server.adminUrl, url: server.url });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

function startServer(dataDir: string): Promise<TestServer & { stop(): Promise<void> }> {
  if (process.env.TEST_POSTGRES !== "debian") {
    return startEmbeddedPostgres({ dataDir, settings: { fsync: "off", max_connections: "200" } });
  }
  const bin = findDebianPostgres();
  if (bin === undefined) throw new Error("TEST_POSTGRES=debian needs Debian's package postgresql.");
  return startDebianPostgres(bin, dataDir);
}

/** Creates a migrated database without rows for the caller, by cloning the template. */
export function createTestDatabase(): Promise<TestDatabase> {
  // Copying files takes half as long as the default, which logs every block.
  return createDatabase(`template ${TEMPLATE} strategy file_copy`);
}

/** Creates an empty database for the caller, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase("template template0");
}

/** Creates a copy of a database that this created, to which no one is connected. */
export function copyTestDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  return createDatabase(`template ${new URL(url).pathname.slice(1)} strategy file_copy`);
}

async function createDatabase(source: string): Promise<TestDatabase> {
  const { adminUrl, url } = inject("testServer");
  // Not the process ID: the system uses it again, and a process that was killed leaves its databases.
  const name = `test_${randomBytes(8).toString("hex")}`;
  await query(adminUrl, `create database ${name} owner trunkline ${source}`);
  return {
    url: withDatabase(url, name),
    drop: () => query(adminUrl, `drop database ${name} with (force)`),
  };
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
