import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkEncryptionKey } from "@/lib/operations/startup/check-encryption-key";
import { closeDatabase, sql } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { findFreePort } from "@/lib/platform/postgres/find-free-port";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { startMailServer } from "@/lib/testing/servers/start-mail-server";
import { testKey, withEncryptionKey } from "@/lib/testing/with-encryption-key";
import { DOCTOR_COMMANDS, examineInstance } from "@/scripts/admin/doctor-command";

const before = { ...process.env };
let dataDir: string;

/** The settings that tests change. */
const CHANGED = [
  "BACKUP_DIR",
  "BACKUP_HOURS",
  "BASE_URL",
  "DATABASE_URL",
  "DATA_DIR",
  "DISK_RESERVE_MB",
  "ENCRYPTION_KEY",
  "ROLE",
  "MAIL_FROM",
  "S3_ACCESS_KEY_ID",
  "S3_BUCKET",
  "S3_ENDPOINT",
  "S3_SECRET_ACCESS_KEY",
  "SMTP_URL",
];

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-doctor-"));
  process.env.DATA_DIR = dataDir;
  process.env.BASE_URL = "http://localhost:3000";
  reloadEnv();
  await sql.runText({ text: "delete from key_canaries" });
  await checkEncryptionKey();
});

afterEach(() => {
  process.exitCode = undefined;
  rmSync(dataDir, { recursive: true, force: true });
  for (const name of CHANGED) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  reloadEnv();
});

async function statuses(examine = examineInstance): Promise<Record<string, string>> {
  return Object.fromEntries((await examine()).map(({ name, status }) => [name, status]));
}

test("a complete instance passes, and the missing backup is a warning", async () => {
  expect(await statuses()).toEqual({
    settings: "ok",
    "data directory": "ok",
    disk: "ok",
    database: "ok",
    migrations: "ok",
    "encryption key": "ok",
    backup: "warn",
    email: "skip",
    files: "ok",
  });
  expect(await DOCTOR_COMMANDS.doctor?.({})).toContain("No check failed.");
  expect(process.exitCode).toBeUndefined();
});

test("a recent backup is ok, and one older than a day a warning", async () => {
  const insert = (age: string) =>
    sql.runText({
      text: `insert into instance_backups (id, folder, database, started_at, ended_at)
             values (gen_random_uuid(), '/backups', 'dump', now() - $1::interval, now() - $1::interval)`,
      values: [age],
    });
  await insert("30 hours");
  expect(await statuses()).toMatchObject({ backup: "warn" });
  await insert("1 hour");
  expect(await statuses()).toMatchObject({ backup: "ok" });
});

test("pending migrations are reported and not applied", async () => {
  const [{ name } = { name: "" }] = await sql.runText<{ name: string }>({
    text: "select migration_name as name from _prisma_migrations order by 1 desc limit 1",
  });
  await sql.runText({ text: "delete from _prisma_migrations where migration_name = $1", values: [name] });
  const checks = await examineInstance();
  expect(checks.find((check) => check.name === "migrations")).toMatchObject({
    status: "warn",
    detail: expect.stringMatching(new RegExp(`^1 pending \\(${name}.*one at a time`)),
  });
  const left = await sql.runText({
    text: "select 1 from _prisma_migrations where migration_name = $1",
    values: [name],
  });
  expect(left).toEqual([]);
});

test("a database of a newer release fails the check of migrations", async () => {
  await sql.runText({
    text: `insert into _prisma_migrations (id, checksum, migration_name, finished_at)
           values ('newer', 'x', '29991231000000_newer_contract', now())`,
  });
  expect(await statuses()).toMatchObject({ migrations: "fail" });
  await sql.runText({ text: "delete from _prisma_migrations where id = 'newer'" });
});

test("the mail server is asked whether it accepts the credentials, and receives no email", async () => {
  const server = await startMailServer({ password: "right" });
  const examine = async (password: string, port = server.port) => {
    process.env.SMTP_URL = `smtp://trunkline:${password}@127.0.0.1:${port}`;
    process.env.MAIL_FROM = "trunkline@example.com";
    reloadEnv();
    return (await examineInstance()).find(({ name }) => name === "email");
  };
  try {
    expect(await examine("right")).toMatchObject({ status: "ok" });
    const refused = await examine("wrong-password");
    expect(refused).toMatchObject({
      status: "warn",
      detail: expect.stringMatching(/EAUTH.*password in SMTP_URL/),
    });
    expect(JSON.stringify(refused)).not.toContain("wrong-password");
    const closed = await examine("right", await findFreePort());
    expect(closed).toMatchObject({ status: "warn", detail: expect.stringContaining("Check the host") });
    expect(server.received).toEqual([]);
  } finally {
    await server.close();
  }
});

test("attachments whose files are lost fail the check of files, and so does a bucket that is missing", async () => {
  const account = await createTestAccount({ type: "production" });
  await sql.runText({
    text: `insert into attachments (account_id, id, filename, content_type, size_bytes, status, tier, created_at)
           values ($1, $1, 'lost.txt', 'text/plain', 4, 'complete', 'persistent', now())`,
    values: [account.ref.id],
  });
  const files = async () => (await examineInstance()).find(({ name }) => name === "files");
  expect(await files()).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("1 of the newest 1"),
  });
  await sql.runText({ text: "delete from attachments" });
  expect(await files()).toMatchObject({ status: "ok" });

  process.env.S3_BUCKET = "files";
  Object.assign(process.env, {
    S3_ACCESS_KEY_ID: "a",
    S3_SECRET_ACCESS_KEY: "b",
    S3_ENDPOINT: "http://127.0.0.1:1",
  });
  reloadEnv();
  expect(await files()).toMatchObject({ status: "fail", detail: expect.stringContaining("S3_ENDPOINT") });
});

test("a wrong key fails, and the check stores no text under it", async () => {
  const doctor = await withEncryptionKey(testKey("1", 9), () => import("@/scripts/admin/doctor-command"));
  expect(await statuses(doctor.examineInstance)).toMatchObject({ database: "ok", "encryption key": "fail" });
  expect(await sql.runText({ text: "select 1 from key_canaries" })).toHaveLength(1);
});

test("an unreachable database fails with exit code 5 and names the setting", async () => {
  await closeDatabase();
  process.env.DATABASE_URL = "postgresql://trunkline@127.0.0.1:1/none";
  const printed = await DOCTOR_COMMANDS.doctor?.({});
  expect(printed).toContain("FAIL  database: DATABASE_URL: no server is listening on 127.0.0.1:1");
  expect(process.exitCode).toBe(5);
});

test("invalid settings fail with the name of each", async () => {
  process.env.ROLE = "both";
  const checks = await examineInstance();
  expect(checks.find(({ name }) => name === "settings")).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("ROLE"),
  });
});

test("a disk without the reserve fails", async () => {
  process.env.DISK_RESERVE_MB = "10000000";
  expect(await statuses()).toMatchObject({ disk: "fail" });
});

test("a data directory that is missing is a warning, one that can't be written fails, and with a bucket none is needed", async () => {
  const detailOf = async () => (await examineInstance()).find(({ name }) => name === "data directory");
  process.env.DATA_DIR = path.join(dataDir, "missing");
  expect(await detailOf()).toMatchObject({ status: "warn", detail: expect.stringContaining("is missing") });
  expect(await statuses()).toMatchObject({ disk: "skip", database: "ok" });

  process.env.DATA_DIR = path.join(dataDir, "a-file");
  writeFileSync(process.env.DATA_DIR, "not a directory");
  expect(await detailOf()).toMatchObject({ status: "fail", detail: expect.stringContaining("DATA_DIR") });

  process.env.S3_BUCKET = "files";
  expect(await detailOf()).toMatchObject({ status: "skip", detail: expect.stringContaining("S3_BUCKET") });
});

test("a database of a release without backups and keys is examined without them", async () => {
  const tables = ["instance_backups", "key_canaries"];
  for (const name of tables) await sql.runText({ text: `alter table ${name} rename to ${name}_away` });
  try {
    const checks = await examineInstance();
    for (const name of ["backup", "encryption key"]) {
      expect(checks.find((check) => check.name === name)).toMatchObject({
        status: "skip",
        detail: expect.stringContaining("pending"),
      });
    }
  } finally {
    for (const name of tables) await sql.runText({ text: `alter table ${name}_away rename to ${name}` });
  }
});

test("settings that can't work together fail, and unsafe ones are a warning with what to do", async () => {
  process.env.BASE_URL = "http://0.0.0.0:3000";
  expect(await statuses()).toMatchObject({ settings: "fail" });
  process.env.BASE_URL = "http://messages.example.com";
  const printed = await DOCTOR_COMMANDS.doctor?.({});
  expect(printed).toContain("warn  settings: BASE_URL is http://messages.example.com: terminate TLS");
  expect(printed).toContain("No check failed.");
});

test("a scheduled backup that is two periods old is a warning", async () => {
  process.env.BACKUP_DIR = dataDir;
  process.env.BACKUP_HOURS = "2";
  reloadEnv();
  await sql.runText({ text: "delete from instance_backups" });
  await sql.runText({
    text: `insert into instance_backups (id, folder, database, started_at, ended_at)
           values (gen_random_uuid(), '/backups', 'dump', now() - interval '3 hours', now() - interval '3 hours')`,
  });
  expect(await statuses()).toMatchObject({ backup: "ok" });
  await sql.runText({ text: "update instance_backups set ended_at = now() - interval '5 hours'" });
  expect(await statuses()).toMatchObject({ backup: "warn" });
  await sql.runText({ text: "delete from instance_backups" });
});

test("without a database, the doctor creates none", async () => {
  delete process.env.DATABASE_URL;
  expect(await statuses()).toEqual({ "data directory": "ok", disk: "ok", database: "skip" });
});
