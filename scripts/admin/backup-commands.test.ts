import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { objectStore } from "@/lib/adapters/storage/registry";
import { storeFile } from "@/lib/attachments/store/store-file";
import { backUp, listBackups } from "@/lib/operations/backup/back-up";
import { backUpWhenDue } from "@/lib/operations/backup/back-up-when-due";
import { BackupInProgress, withBackupLock } from "@/lib/operations/backup/backup-lock";
import { manifestFile, readManifest } from "@/lib/operations/backup/backup-manifest";
import { lastSegmentSql } from "@/lib/operations/backup/copy/copy-cluster";
import { restoreBackup, storeKey } from "@/lib/operations/backup/restore-backup";
import { checkEncryptionKey, SELECT_CANARIES } from "@/lib/operations/startup/check-encryption-key";
import { closeDatabase, sql } from "@/lib/platform/database/db";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/lib/platform/postgres/embedded-postgres";
import { applyMigrations } from "@/lib/platform/postgres/migrate";
import { SYSTEM_DIRECTORY } from "@/lib/platform/postgres/postgres-home";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createMemoryFolder } from "@/lib/testing/memory-folder";
import { testKey } from "@/lib/testing/with-encryption-key";
import { RESTORE_COMMANDS } from "@/scripts/admin/backup-commands";
import { verifyBackup } from "@/scripts/admin/verify-backup";

let root: string;
let target: string;
let postgres: EmbeddedPostgres;
let account: TestAccount;

beforeAll(async () => {
  registerDependencies();
  root = createMemoryFolder("trunkline-backup-");
  target = path.join(root, "backups");
  process.env.DATA_DIR = path.join(root, "data");
  process.env.ENCRYPTION_KEY = testKey("1", 7);
  postgres = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR, settings: { fsync: "off" } });
  process.env.DATABASE_URL = postgres.url;
  await applyMigrations(postgres.url);
  account = await createTestAccount({ type: "production" });
});

afterAll(async () => {
  await closeDatabase();
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});

async function addFile(text: string): Promise<string> {
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  const file = await storeFile({
    ...{ accountId: account.ref.id, filename: "canary.txt", contentType: "text/plain" },
    ...{ mostBytes: 1000, body },
  });
  await sql.runText({
    text: `insert into attachments (account_id, id, filename, content_type, size_bytes, status, tier, created_at)
           values ($1, $2, $3, 'text/plain', $4, 'complete', 'persistent', now())`,
    values: [account.ref.id, file.id, file.filename, file.sizeBytes],
  });
  return `${account.ref.id}/${file.id}`;
}

async function queryRestored<Row extends pg.QueryResultRow>(dataDir: string, text: string): Promise<Row[]> {
  const server = await startEmbeddedPostgres({ dataDir });
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
    await server.stop();
  }
}

test("a backup under load is complete: every message accepted before it began is restored, with its files", async () => {
  const key = await addFile("the canary");
  const { messageId } = await account.sendFirst("+15558880000");
  let isRunning = true;
  let sent = 0;
  const load = (async () => {
    while (isRunning) {
      await account.sendFirst(`+1555888${String(++sent).padStart(4, "0")}`);
      // A checkpoint may remove the log that the copy needs, unless the backup holds it back.
      if (sent % 5 === 0) await checkpoint();
    }
  })();
  const { folder, manifest } = await backUp(target, { keep: 0 }).finally(() => {
    isRunning = false;
  });
  await load;

  expect(manifest).toMatchObject({ database: "cluster", files: { storage: "disk", count: 1, bytes: 10 } });
  expect(manifest.encryptionKeyIds).toHaveLength(1);
  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(JSON.stringify(manifest)).not.toContain(process.env.ENCRYPTION_KEY);
  expect(
    filesBelow(folder).filter((file) => readFileSync(file).includes(process.env.ENCRYPTION_KEY ?? "")),
  ).toEqual([]);

  const verified = await verifyBackup(folder, undefined);
  // As root, the scratch database is outside of the scratch directory.
  expect(copiesIn(SYSTEM_DIRECTORY)).toEqual([]);
  expect(readdirSync(target)).toEqual([path.basename(folder)]);
  expect(verified.missingFiles).toEqual([]);
  expect(verified.rows.messages).toBeGreaterThanOrEqual(1);
  expect(verified.rows.attachments).toBe(1);

  const dataDir = path.join(root, "restored");
  await restoreBackup(folder, { dataDir, databaseUrl: undefined });
  const rows = await queryRestored(dataDir, `select id, parts from messages where id = '${messageId}'`);
  expect(rows).toEqual([{ id: messageId, parts: [expect.objectContaining({ value: "hello" })] }]);
  process.env.DATA_DIR = dataDir;
  const file = await objectStore().get(key);
  process.env.DATA_DIR = path.join(root, "data");
  expect(await text(file?.body ?? [])).toBe("the canary");
});

describe("a restored instance", () => {
  const [right, wrong] = [testKey("1", 7), testKey("1", 8)];

  test("of the command without settings has the key of the file, and numbers that were never used", async () => {
    await checkEncryptionKey();
    const { ref } = account;
    await account.sendFirst("+15558880001");
    await sql.runText({
      text: `with added as (
               insert into webhook_subscriptions
                 (account_id, id, target_url, signing_secret, version, subscribed_events, created_at, updated_at)
               values ($1, $1, 'https://hooks.example.com/', '', '2026-02-03', '{message.sent}', now(), now()))
             insert into webhook_sequences select $1, $1, id, 7 from chats where account_id = $1 limit 1`,
      values: [ref.id],
    });
    await atNextSecond();
    const { folder } = await backUp(target, { keep: 0 });
    writeFileSync(path.join(root, "data", "encryption-key"), `${right}\n`);
    delete process.env.ENCRYPTION_KEY;
    const dataDir = path.join(root, "restored-by-command");
    const output = await RESTORE_COMMANDS.restore?.({ from: folder, to: dataDir });
    process.env.ENCRYPTION_KEY = right;

    expect(output).toContain(`the key of ${path.join(root, "data")} opens the secrets of the backup`);
    const key = path.join(dataDir, "encryption-key");
    expect(readFileSync(key, "utf8").trim()).toBe(right);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const [counters] = await queryRestored<{
      event: string;
      end: string;
      sequences: string[];
      chats: number;
    }>(
      dataDir,
      `select nextval('events_seq_seq') as event, (select max(seq) + 4000000 from events) as end,
         (select array_agg(distinct last) from webhook_sequences) as sequences,
         (select count(*)::int from chats c left join webhook_sequences s on s.chat_id = c.id where s.last is null) as chats`,
    );
    expect(Number(counters?.event)).toBeGreaterThan(Number(counters?.end));
    expect(counters).toMatchObject({ sequences: ["1000000", "1000007"], chats: 0 });
    await sql.runText({ text: "delete from webhook_subscriptions" });
    rmSync(folder, { recursive: true });
  });

  test.each([
    { setting: right, file: wrong, from: "setting", stored: right },
    { setting: wrong, file: right, from: "file", stored: right },
    { setting: undefined, file: wrong, from: null, stored: null },
    { setting: wrong, file: undefined, from: null, stored: null },
  ])("takes the key that opens its secrets (%j)", async ({ setting, file, from, stored }) => {
    const canaries = await sql.run(SELECT_CANARIES);
    const [ownDataDir, dataDir] = [
      mkdtempSync(path.join(root, "own-")),
      mkdtempSync(path.join(root, "new-")),
    ];
    if (file !== undefined) writeFileSync(path.join(ownDataDir, "encryption-key"), `${file}\n`);

    const key = storeKey({ database: "cluster", canaries }, { setting, ownDataDir, dataDir });

    expect(key.from).toBe(from);
    const keyFile = path.join(dataDir, "encryption-key");
    expect(existsSync(keyFile) ? readFileSync(keyFile, "utf8").trim() : null).toBe(stored);
  });
});

test("a second backup links the files of the first, and only the newest are kept", async () => {
  await addFile("another");
  const first = (await listBackups(target)).map((name) => path.join(target, name)).at(-1) ?? "";
  await atNextSecond();
  // A process that was killed left one of these; the other may still be running.
  const [abandoned, running] = [".unfinished-abandoned", ".unfinished-running"].map((name) =>
    path.join(target, name),
  );
  for (const folder of [abandoned, running]) mkdirSync(folder ?? "");
  utimesSync(abandoned ?? "", new Date(0), new Date(0));
  const second = await backUp(target, { keep: 0 });
  expect([abandoned, running].map((folder) => existsSync(folder ?? ""))).toEqual([false, true]);
  rmSync(running ?? "", { recursive: true });
  expect(second.manifest.files).toMatchObject({ count: 2 });
  const inFirst = filesBelow(path.join(first, "objects")).map((file) => statSync(file).ino);
  const inSecond = filesBelow(path.join(second.folder, "objects")).map((file) => statSync(file).ino);
  expect(inSecond).toEqual(expect.arrayContaining(inFirst));

  await atNextSecond();
  const third = await backUp(target, { keep: 1 });
  expect(third.removed).toHaveLength(2);
  expect(readdirSync(target)).toEqual([path.basename(third.folder)]);
  expect((await verifyBackup(third.folder, undefined)).missingFiles).toEqual([]);
});

test("a damaged backup does not pass: a missing file, a missing part of the log, a damaged page", async () => {
  const [name = ""] = await listBackups(target);
  const damage = (change: (folder: string) => void) => {
    const folder = path.join(root, `damaged-${readdirSync(root).length}`);
    cpSync(path.join(target, name), folder, { recursive: true });
    change(folder);
    return folder;
  };
  const withoutFile = damage((folder) => rmSync(filesBelow(path.join(folder, "objects"))[0] ?? ""));
  const verified = await verifyBackup(withoutFile, undefined);
  expect([verified.missingCount, verified.missingFiles.length]).toEqual([1, 1]);

  const withoutLog = damage((folder) => rmSync(path.join(folder, "postgres/pg_wal"), { recursive: true }));
  await expect(verifyBackup(withoutLog, undefined)).rejects.toThrow(/PostgreSQL did not start/);

  const [heap] = await sql.runText<{ file: string }>({
    text: "select pg_relation_filepath('accounts') as file",
  });
  const withPage = damage((folder) => {
    const file = path.join(folder, "postgres", heap?.file ?? "");
    const bytes = readFileSync(file);
    bytes.fill(0xff, bytes.length - 100);
    writeFileSync(file, bytes);
  });
  await expect(verifyBackup(withPage, undefined)).rejects.toThrow(/invalid page/);

  const withoutManifest = damage((folder) => rmSync(manifestFile(folder)));
  await expect(readManifest(withoutManifest)).rejects.toThrow(/contains no backup/);
}, 120_000);

test("a server with a tablespace is refused, because a backup would not contain it", async () => {
  const folder = path.join(root, "tablespace");
  mkdirSync(folder, { mode: 0o700 });
  const { uid, gid } = statSync(postgres.directory);
  chownSync(folder, uid, gid);
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  await client.connect();
  await client.query(`create tablespace elsewhere location '${folder}'`);
  await expect(backUp(path.join(root, "refused"), { keep: 0 })).rejects.toThrow(/tablespaces/);
  await client.query("drop tablespace elsewhere");
  await client.end();
});

test("an instance is never overwritten", async () => {
  const [name = ""] = await listBackups(target);
  const into = { dataDir: path.join(root, "data"), databaseUrl: undefined };
  await expect(restoreBackup(path.join(target, name), into)).rejects.toThrow(/is not empty/);
  const [row] = await sql.runText<{ exists: boolean }>({
    text: "select exists (select from messages) as exists",
  });
  expect(row?.exists).toBe(true);
});

test("a backup that fails leaves nothing behind, and two at once are refused", async () => {
  const both = await Promise.allSettled([
    backUp(path.join(root, "one"), { keep: 0 }),
    backUp(path.join(root, "two"), { keep: 0 }),
  ]);
  const refused = both.find((result) => result.status === "rejected");
  expect(both.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  expect(String(refused?.reason)).toContain("Another backup is in progress");
  const left = [
    ...(await listBackups(path.join(root, "one"))),
    ...(await listBackups(path.join(root, "two"))),
  ];
  expect(left).toHaveLength(1);
});

test("a backup is refused while another one runs, and the schedule waits for it", async () => {
  process.env.BACKUP_DIR = path.join(root, "waiting");
  await sql.runText({ text: "update instance_backups set ended_at = ended_at - interval '25 hours'" });
  await withBackupLock(async () => {
    await expect(backUp(path.join(root, "beside"), { keep: 0 })).rejects.toThrow(BackupInProgress);
    expect(await backUpWhenDue(new AbortController().signal)).toBe(0);
  });
  expect(await backUpWhenDue(new AbortController().signal)).toBe(1);
  delete process.env.BACKUP_DIR;
});

test("the end of a backup exactly between two segments of the log needs only the first", async () => {
  const [row] = await sql.runText<{ between: string; within: string }>({
    text: `select ${lastSegmentSql("'0/3000000'::pg_lsn")} as between, ${lastSegmentSql("'0/3000028'::pg_lsn")} as within`,
  });
  expect(row).toEqual({ between: "000000010000000000000002", within: "000000010000000000000003" });
});

test("the schedule backs up once per period, and only with a folder", async () => {
  expect(await backUpWhenDue(new AbortController().signal)).toBe(0);
  process.env.BACKUP_DIR = path.join(root, "scheduled");
  await sql.runText({ text: "update instance_backups set ended_at = ended_at - interval '25 hours'" });
  expect(await backUpWhenDue(new AbortController().signal)).toBe(1);
  expect(await backUpWhenDue(new AbortController().signal)).toBe(0);
  expect(readdirSync(process.env.BACKUP_DIR)).toHaveLength(1);
  delete process.env.BACKUP_DIR;
});

test("with an operator's server, a pg_dump that is missing or too old is named with the version it needs", async () => {
  const dataDir = process.env.DATA_DIR ?? "";
  const tools = mkdtempSync(path.join(tmpdir(), "trunkline-tools-"));
  process.env.DATA_DIR = path.join(root, "elsewhere");
  process.env.PG_BIN = tools;
  const attempt = () => backUp(path.join(root, "dumps"), { keep: 0 });
  await expect(attempt()).rejects.toThrow(/pg_dump was not found.*postgresql-client-18/);

  writeFileSync(path.join(tools, "pg_dump"), '#!/bin/sh\necho "pg_dump (PostgreSQL) 15.18"\n', {
    mode: 0o755,
  });
  await expect(attempt()).rejects.toThrow(/is version 15, but the server is version 18/);
  expect(existsSync(path.join(root, "dumps")) ? readdirSync(path.join(root, "dumps")) : []).toEqual([]);
  process.env.DATA_DIR = dataDir;
  delete process.env.PG_BIN;
  rmSync(tools, { recursive: true });
});

async function checkpoint(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  await client.connect();
  await client.query("select pg_switch_wal()");
  await client.query("checkpoint");
  await client.end();
}

/** Names of backups contain the second. */
async function atNextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1000);
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(second);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

async function text(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The folders below a directory with a copy of this file's database cluster, by its system identifier. */
function copiesIn(directory: string): string[] {
  const identifierOf = (data: string) =>
    readFileSync(path.join(data, "global", "pg_control")).toString("hex", 0, 8);
  const own = identifierOf(postgres.directory);
  const folders = existsSync(directory) ? readdirSync(directory) : [];
  return folders.filter((folder) => {
    const data = path.join(directory, folder, "data");
    return existsSync(path.join(data, "global", "pg_control")) && identifierOf(data) === own;
  });
}
