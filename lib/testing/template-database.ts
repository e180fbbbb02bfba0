import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../platform/embedded-postgres.ts";
import { applyMigrations } from "../platform/migrate.ts";

const TEMPLATE = "trunkline_template";

interface TestServer {
  /** The superuser's address. */
  adminUrl: string;
  /** The application user's address. */
  url: string;
}

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

interface TestDatabase {
  /** An address of the application's user, who owns this database. */
  url: string;
  drop(): Promise<void>;
}

/** Vitest's global setup: one PostgreSQL for the whole run, with a migrated template. Returns what ends it. */
export default async function startTestServer(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-test-"));
  // As root, PostgreSQL runs as somebody else, who must be able to enter.
  chmodSync(dataDir, 0o711);
  const settings = { fsync: "off", max_connections: "200" };
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  const stop = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await query(postgres.adminUrl, `create database ${TEMPLATE} owner trunkline`);
    await applyMigrations(withDatabase(postgres.url, TEMPLATE));
    project.provide("testServer", { adminUrl: postgres.adminUrl, url: postgres.url });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

let made = 0;

/** A database of the caller's own, migrated and empty: a clone of the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, url } = inject("testServer");
  const name = `test_${process.pid}_${++made}`;
  await query(adminUrl, `create database ${name} template ${TEMPLATE} owner trunkline`);
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
