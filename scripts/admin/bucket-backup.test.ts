import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ObjectStore } from "@/lib/adapters/storage/object-store";
import { diskStoreIn, objectFileIn, objectStore } from "@/lib/adapters/storage/registry";
import { objectKey, previewKey } from "@/lib/attachments/attachment";
import { storeFile } from "@/lib/attachments/store/store-file";
import { backUp, type FinishedBackup } from "@/lib/operations/backup/back-up";
import { backUpWhenDue, lastBackupAt } from "@/lib/operations/backup/back-up-when-due";
import { manifestFile, readManifest } from "@/lib/operations/backup/backup-manifest";
import { closeDatabase, sql } from "@/lib/platform/database/db";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/lib/platform/postgres/embedded-postgres";
import { applyMigrations } from "@/lib/platform/postgres/migrate";
import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createMemoryFolder } from "@/lib/testing/memory-folder";
import { type FakeS3, startFakeS3 } from "@/lib/testing/servers/start-fake-s3";
import { testKey } from "@/lib/testing/with-encryption-key";
import { BACKUP_COMMANDS, RESTORE_COMMANDS } from "@/scripts/admin/backup-commands";
import { verifyBackup } from "@/scripts/admin/verify-backup";

const OTHER_OBJECT = "exports-of-others/dump";
const BIG = 11 * 1024 * 1024;
const NEWER = "29990101000000_newer_contract";
const REFUSAL = `This release can't start with the database of the backup, so nothing was restored: A newer release of Trunkline upgraded this database (${NEWER}).`;

let root: string;
let target: string;
let postgres: EmbeddedPostgres;
let account: TestAccount;
let peer: FakeS3;
let keys: string[];

beforeAll(async () => {
  registerDependencies();
  root = createMemoryFolder("trunkline-bucket-");
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
  await peer.close();
  rmSync(root, { recursive: true, force: true });
});

/** A new bucket with five files of the instance, three small ones, a big one and a preview, and a folder for backups. */
async function fillBucket(): Promise<void> {
  await peer?.close();
  peer = await startFakeS3();
  pointTo(peer);
  target = newFolder("backups-");
  await sql.runText({ text: "delete from attachments" });
  await sql.runText({ text: "delete from instance_backups" });
  keys = [];
  for (const text of ["first", "second", "third", "x".repeat(BIG)]) keys.push(await addFile(text));
  await put(objectStore(), previewKey(fileOf(0)), "preview");
  await put(objectStore(), OTHER_OBJECT, "not of Trunkline");
}

function pointTo({ settings }: FakeS3): void {
  process.env.S3_BUCKET = settings.bucket;
  process.env.S3_ACCESS_KEY_ID = settings.accessKeyId;
  process.env.S3_SECRET_ACCESS_KEY = settings.secretAccessKey;
  process.env.S3_REGION = settings.region;
  process.env.S3_ENDPOINT = settings.endpoint;
  process.env.S3_PATH_STYLE = "1";
}

async function* chunksOf(text: string) {
  for (let at = 0; at < text.length; at += 100_000) yield Buffer.from(text.slice(at, at + 100_000));
}

async function put(store: ObjectStore, key: string, text: string): Promise<void> {
  const limits = { contentType: "text/plain", leastBytes: text.length, mostBytes: text.length };
  await store.put(key, chunksOf(text), limits);
}

async function addFile(text: string): Promise<string> {
  const [accountId, body] = [account.ref.id, chunksOf(text)];
  const options = { accountId, filename: "canary.txt", contentType: "text/plain", mostBytes: BIG, body };
  const file = await storeFile(options);
  await sql.runText({
    text: `insert into attachments (account_id, id, filename, content_type, size_bytes, status, tier, created_at)
           values ($1, $2, $3, 'text/plain', $4, 'complete', 'persistent', now())`,
    values: [accountId, file.id, file.filename, file.sizeBytes],
  });
  return objectKey({ accountId, attachmentId: file.id });
}

function fileOf(index: number): { accountId: string; attachmentId: string } {
  const [accountId = "", attachmentId = ""] = (keys[index] ?? "").split("/");
  return { accountId, attachmentId };
}

async function read(store: ObjectStore, key: string): Promise<string | null> {
  const found = await store.get(key);
  if (found === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of found.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function requireEveryFile(store: ObjectStore): Promise<void> {
  const texts = await Promise.all([...keys, previewKey(fileOf(0))].map((key) => read(store, key)));
  expect(texts.map((text) => text?.slice(0, 10))).toEqual([
    "first",
    "second",
    "third",
    "x".repeat(10),
    "preview",
  ]);
  expect(texts[3]?.length).toBe(BIG);
}

const run = (command: string, options: Record<string, string>) =>
  ({ ...BACKUP_COMMANDS, ...RESTORE_COMMANDS })[command]?.(options);

function newFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(root, prefix));
  chmodSync(folder, 0o711);
  return folder;
}

const newDir = () => path.join(newFolder("restored-"), "data");

/** The names of backups contain the second, so a second backup has a folder of its own. */
const backUpAgain = (): Promise<FinishedBackup> => backUp(newFolder("again-"), { keep: 0 });

function onceAsked(request: string, work: () => Promise<unknown>): void {
  let isDone = false;
  peer.beforeAnswer(async (asked) => {
    if (asked !== request || isDone) return;
    isDone = true;
    await work();
  });
}

describe("a backup of a bucket", () => {
  let report: string | undefined;
  /** The backup. Its bucket is gone: neither a verification nor a restore depends on it. */
  let folder: string;

  beforeAll(async () => {
    await fillBucket();
    report = await run("backup", { to: target });
    folder = path.join(target, readdirSync(target)[0] ?? "");
    await peer.close();
  });

  /** The restoring instance has a bucket of its own, without files. */
  beforeEach(async () => {
    peer = await startFakeS3();
    pointTo(peer);
  });

  afterEach(() => peer.close());

  /** A copy of the backup with another manifest. */
  function copyWith(change: object): string {
    const copy = path.join(newFolder("copy-"), path.basename(folder));
    cpSync(folder, copy, { recursive: true });
    const manifest = JSON.parse(readFileSync(manifestFile(copy), "utf8"));
    writeFileSync(manifestFile(copy), JSON.stringify({ ...manifest, ...change }));
    return copy;
  }

  test("contains its files, verified, and a restore without a bucket puts them into DATA_DIR", async () => {
    const files = {
      storage: "s3",
      bucket: "files",
      endpoint: expect.stringMatching(/^http:/),
      count: 5,
      bytes: BIG + 23,
    };
    expect(await readManifest(folder)).toMatchObject({ files, missingCount: 0, missingFiles: [] });
    expect(report).toContain("5 files of the bucket files (11.5 MB)");
    expect(report).not.toContain("missing");
    await requireEveryFile(diskStoreIn(folder));
    expect(existsSync(objectFileIn(folder, OTHER_OBJECT))).toBe(false);
    expect(statSync(objectFileIn(folder, keys[0] ?? "")).mode & 0o077).toBe(0);
    expect(await sql.runText({ text: "select file_count, file_bytes from instance_backups" })).toEqual([
      { file_count: 5, file_bytes: String(BIG + 23) },
    ]);

    expect(await run("verify-backup", { from: folder })).toContain("5 files; every attachment has its file");
    delete process.env.S3_BUCKET;
    const dataDir = newDir();
    expect(await run("restore", { from: folder, to: dataDir })).toContain("5 files of the bucket files");
    await requireEveryFile(diskStoreIn(dataDir));
  }, 120_000);

  test("is restored into a bucket, and again only the files that it lacks", async () => {
    const dataDir = newDir();
    await run("restore", { from: folder, to: dataDir });
    await requireEveryFile(objectStore());
    expect(existsSync(path.join(dataDir, "objects"))).toBe(false);

    await objectStore().delete(keys[1] ?? "");
    peer.asked.length = 0;
    await run("restore", { from: folder, to: newDir() });
    expect(peer.asked.filter((one) => one.startsWith("PUT"))).toEqual([`PUT ${keys[1]}?`]);
    await requireEveryFile(objectStore());

    // A file of the instance that uses the bucket is never replaced.
    await objectStore().delete(keys[2] ?? "");
    await put(objectStore(), keys[2] ?? "", "of another instance");
    const untouched = newDir();
    await expect(run("restore", { from: folder, to: untouched })).rejects.toThrow(
      `The file ${keys[2]} could not be stored in the bucket: the bucket has another object under this key, with 19 instead of 5 bytes`,
    );
    expect(existsSync(untouched)).toBe(false);
    expect(await read(objectStore(), keys[2] ?? "")).toBe("of another instance");
  }, 120_000);

  test("leaves nothing restored when the bucket refuses it or is unreachable", async () => {
    const dataDir = newDir();
    process.env.S3_SECRET_ACCESS_KEY = "wrong";
    await expect(run("restore", { from: folder, to: dataDir })).rejects.toThrow(
      /could not be stored in the bucket: the bucket returned status 403 .*Then restore again/s,
    );
    await peer.close();
    await expect(run("restore", { from: folder, to: dataDir })).rejects.toThrow(
      /could not be stored in the bucket: fetch failed \(.*ECONNREFUSED/,
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  test("whose dump can't be restored is refused before files are stored in the bucket", async () => {
    const dump = copyWith({ database: "dump" });
    await expect(run("restore", { from: dump, to: newDir() })).rejects.toThrow(
      "The database at DATABASE_URL is not empty",
    );
    expect(peer.asked).toEqual([]);
  });

  test("that this release can't start with is refused before anything is stored", async () => {
    const newer = copyWith({ migration: NEWER });
    const dataDir = newDir();
    await expect(run("verify-backup", { from: newer })).rejects.toThrow(REFUSAL);
    await expect(run("restore", { from: newer, to: dataDir })).rejects.toThrow(REFUSAL);
    expect(existsSync(dataDir)).toBe(false);
    expect(peer.asked).toEqual([]);
  });

  test("is not restored over a file", async () => {
    const file = path.join(root, "a-file");
    writeFileSync(file, "kept");
    await expect(run("restore", { from: folder, to: file })).rejects.toThrow("ENOTDIR");
    expect(readFileSync(file, "utf8")).toBe("kept");
  });

  test("that has lost a file is found, also one that no attachment needs", async () => {
    const damaged = copyWith({});
    rmSync(objectFileIn(damaged, previewKey(fileOf(0))));
    await expect(run("verify-backup", { from: damaged })).rejects.toThrow(
      "The backup contains 4 files, but 5 when it was made.",
    );
  }, 60_000);

  test("of an older version, without the bucket's files, is restored and says so", async () => {
    const older = copyWith({
      files: { storage: "s3", bucket: "files" },
      missingCount: undefined,
      missingFiles: undefined,
    });
    rmSync(path.join(older, "objects"), { recursive: true });
    const dataDir = newDir();
    expect(await run("restore", { from: older, to: dataDir })).toContain(
      "no files (they are in the bucket files)",
    );
    expect(existsSync(path.join(dataDir, "postgres.json"))).toBe(true);
    expect(peer.asked).toEqual([]);
    expect(await run("verify-backup", { from: older })).toContain(
      "files were not checked, because they are not part of this backup",
    );
  }, 60_000);
});

describe("backing up a bucket", () => {
  beforeEach(fillBucket);

  test("a restored database that this release can't start with is removed, though the manifest does not show it", async () => {
    await sql.runText({
      text: "insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('newer', '', $1, now())",
      values: [NEWER],
    });
    const { folder } = await backUp(target, { keep: 0 });
    await sql.runText({ text: "delete from _prisma_migrations where id = 'newer'" });
    const manifest = JSON.parse(readFileSync(manifestFile(folder), "utf8"));
    writeFileSync(manifestFile(folder), JSON.stringify({ ...manifest, migration: `${NEWER}_and_later` }));
    const [missing, empty] = [newDir(), newFolder("empty-")];

    await expect(run("restore", { from: folder, to: missing })).rejects.toThrow(REFUSAL);
    await expect(run("restore", { from: folder, to: empty })).rejects.toThrow(REFUSAL);

    expect(existsSync(missing)).toBe(false);
    expect(readdirSync(empty)).toEqual([]);
  }, 120_000);

  test("the next backup links the files of the last one and reads only new ones from the bucket", async () => {
    const first = await backUp(target, { keep: 0 });
    const second = Math.floor(Date.now() / 1000);
    await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(second);
    keys.push(await addFile("fifth"));
    peer.asked.length = 0;
    const next = await backUp(target, { keep: 0 });
    expect(peer.asked.filter((one) => one.startsWith("GET") && !one.includes("list-type"))).toEqual([
      `GET ${keys[4]}?`,
    ]);
    expect(next.manifest.files).toMatchObject({ count: 6 });
    const [before, after] = [first, next].map(
      ({ folder }) => statSync(objectFileIn(folder, keys[0] ?? "")).ino,
    );
    expect(after).toBe(before);
    expect((await verifyBackup(next.folder, undefined)).missingFiles).toEqual([]);
  }, 60_000);

  test("a file that arrives after the bucket was listed, and before the database is copied, is part of the backup", async () => {
    // The bucket lists the big file on its last page.
    onceAsked(`GET ${keys[3]}?`, async () => {
      keys.push(await addFile("arrived meanwhile"));
    });
    const { folder } = await backUp(target, { keep: 0 });
    expect(await read(diskStoreIn(folder), keys[4] ?? "")).toBe("arrived meanwhile");
    expect(await verifyBackup(folder, undefined)).toMatchObject({ fileCount: 6, missingCount: 0 });
  }, 60_000);

  test("a file that is deleted during the backup is left out; with its attachment, it is named as missing", async () => {
    const [gone = ""] = keys;
    onceAsked(`GET ${gone}?`, () => objectStore().delete(gone));
    const { folder, manifest } = await backUp(target, { keep: 0 });
    expect(manifest).toMatchObject({ files: { count: 4 }, missingCount: 1, missingFiles: [gone] });
    await expect(run("verify-backup", { from: folder })).rejects.toThrow(
      `1 files of attachments are missing in the backup or have another size (1 when it was made):\n  ${gone}`,
    );

    await sql.runText({ text: "delete from attachments where id = $1", values: [fileOf(0).attachmentId] });
    const next = await backUpAgain();
    expect(next.manifest).toMatchObject({ missingCount: 0, missingFiles: [] });
    expect((await verifyBackup(next.folder, undefined)).missingFiles).toEqual([]);
  }, 60_000);

  test("files that the bucket has lost, or has in another size, are named by the backup and its verification", async () => {
    const [lost = "", short = ""] = keys;
    await objectStore().delete(lost);
    await objectStore().delete(short);
    await put(objectStore(), short, "sec");
    const missing = [lost, `${short} (3 of 6 bytes)`].sort();
    const report = await run("backup", { to: target });
    expect(report).toContain(
      `2 files of attachments are missing or have another size in the instance's storage, and so in the backup:\n  ${missing.join("\n  ")}`,
    );
    const folder = path.join(target, readdirSync(target)[0] ?? "");
    expect(await verifyBackup(folder, undefined)).toMatchObject({
      fileCount: 4,
      missingCount: 2,
      missingFiles: missing,
    });
  }, 60_000);

  test("a connection that breaks half way is repeated; one that always breaks fails the backup, which leaves nothing", async () => {
    peer.breakNext(2);
    const { folder } = await backUp(target, { keep: 0 });
    await requireEveryFile(diskStoreIn(folder));
    expect(readdirSync(path.join(folder, "objects", "arriving"))).toEqual([]);

    const empty = path.join(root, "broken");
    peer.breakNext(1000);
    await expect(backUp(empty, { keep: 0 })).rejects.toThrow(
      /^The file [0-9a-f/-]+(-preview)? in the bucket could not be copied: .*The backup was not made\.$/,
    );
    expect(readdirSync(empty)).toEqual([]);
  });

  test("a bucket that refuses, is missing its keys or is unreachable fails the backup with the reason", async () => {
    process.env.BACKUP_DIR = target;
    const attempt = () => backUpWhenDue(new AbortController().signal);
    process.env.S3_SECRET_ACCESS_KEY = "wrong";
    await expect(attempt()).rejects.toThrow(
      /^The files in the bucket could not be listed: the bucket returned status 403 .*SignatureDoesNotMatch.*Check that S3_ENDPOINT answers/,
    );
    delete process.env.S3_SECRET_ACCESS_KEY;
    await expect(attempt()).rejects.toThrow("S3_BUCKET requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY");
    pointTo(peer);
    await peer.close();
    await expect(attempt()).rejects.toThrow(/could not be listed: fetch failed \(.*ECONNREFUSED/);
    expect(readdirSync(target)).toEqual([]);
    expect(await lastBackupAt()).toBeNull();
    delete process.env.BACKUP_DIR;
  });
});
