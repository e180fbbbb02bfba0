import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BackupManifest, manifestFile } from "@/lib/operations/backup/backup-manifest";
import { restoreBackup } from "@/lib/operations/backup/restore-backup";
import { findPostgresTool, runPostgresTool } from "@/lib/operations/backup/run-postgres-tool";
import { applyMigrations, pendingMigrations } from "@/lib/platform/postgres/migrate";
import {
  debianVersion,
  findDebianPostgres,
  startDebianPostgres,
} from "@/lib/testing/database/debian-postgres";

const debian = findDebianPostgres();
const version = debianVersion(debian ?? "");
const NEWEST =
  readdirSync("prisma/migrations")
    .filter((name) => /^\d/.test(name))
    .at(-1) ?? "";
const NEWER = "29990101000000_newer_contract";

describe.skipIf(debian === undefined)(`a backup by pg_dump on PostgreSQL ${version}`, () => {
  let root: string;
  let server: Awaited<ReturnType<typeof startDebianPostgres>>;
  let source: string;
  let databases = 0;

  beforeAll(async () => {
    root = mkdtempSync(path.join(tmpdir(), "trunkline-dump-"));
    chmodSync(root, 0o711);
    process.env.PG_BIN = debian;
    const directory = path.join(root, "server");
    mkdirSync(directory);
    server = await startDebianPostgres(debian ?? "", directory);
  });

  afterAll(async () => {
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  beforeEach(async () => {
    source = await createDatabase();
    await applyMigrations(source);
    await query(source, "insert into partners (id, name) values (gen_random_uuid(), 'kept')");
  });

  async function createDatabase(): Promise<string> {
    const name = `dump_${++databases}`;
    await query(server.adminUrl, `create database ${name} owner trunkline`);
    return server.url.replace(/\/postgres$/, `/${name}`);
  }

  async function dump(): Promise<string> {
    const folder = mkdtempSync(path.join(root, "backup-"));
    const tool = await findPostgresTool("pg_dump", Number(version));
    const file = path.join(folder, "database.dump");
    await runPostgresTool(tool, source, ["--format=custom", "--no-owner", "--no-acl", `--file=${file}`]);
    const at = new Date().toISOString();
    const manifest: BackupManifest = {
      ...{
        format: 1,
        startedAt: at,
        endedAt: at,
        database: "dump",
        postgresVersion: version,
        migration: NEWEST,
      },
      ...{ lastEvent: "0", files: { storage: "disk", count: 0, bytes: 0 } },
      ...{ missingCount: 0, missingFiles: [], encryptionKeyIds: ["key"] },
    };
    writeFileSync(manifestFile(folder), JSON.stringify(manifest));
    return folder;
  }

  test("is restored into an empty database, with which this release starts", async () => {
    const databaseUrl = await createDatabase();

    await restoreBackup(await dump(), { dataDir: path.join(root, "restored"), databaseUrl });

    expect(await pendingMigrations(databaseUrl)).toEqual([]);
    expect(await applyMigrations(databaseUrl)).toEqual({ applied: [] });
    expect(await query(databaseUrl, "select name from partners")).toEqual([{ name: "kept" }]);
  });

  test("is refused when this release can't start with it, and the database stays empty", async () => {
    await query(
      source,
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('newer', '', '${NEWER}', now())`,
    );
    const databaseUrl = await createDatabase();

    const restored = restoreBackup(await dump(), { dataDir: path.join(root, "refused"), databaseUrl });

    await expect(restored).rejects.toThrow(
      `This release can't start with the database of the backup, so nothing was restored: A newer release of Trunkline upgraded this database (${NEWER}).`,
    );
    expect(
      await query(databaseUrl, "select relname from pg_class where relnamespace = 'public'::regnamespace"),
    ).toEqual([]);
  });
});

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
