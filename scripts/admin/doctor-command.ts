import { existsSync } from "node:fs";
import path from "node:path";
import { REPLACEABLE_FILES } from "@/lib/adapters/storage/object-store";
import { objectStore } from "@/lib/adapters/storage/registry";
import { checkMailServer } from "@/lib/identity/mail/send-mail";
import { lastBackupAt } from "@/lib/operations/backup/back-up-when-due";
import { type AttachmentFile, compareFiles } from "@/lib/operations/backup/compare-files";
import { verifyEncryptionKey } from "@/lib/operations/startup/check-encryption-key";
import { readKeyFile } from "@/lib/operations/startup/prepare-instance";
import { requireDataDir } from "@/lib/operations/startup/require-data-dir";
import { closeDatabase, sql } from "@/lib/platform/database/db";
import { env, reloadEnv } from "@/lib/platform/env";
import { requireUsableDatabase } from "@/lib/platform/postgres/check-database-url";
import { startEmbeddedPostgres } from "@/lib/platform/postgres/embedded-postgres";
import { pendingMigrations } from "@/lib/platform/postgres/migrate";
import { isContracting } from "@/lib/platform/postgres/migration-history";
import { parseSmtpUrl } from "@/lib/platform/text/mail-settings";
import { checkSettings } from "@/scripts/admin/check-settings";
import type { Commands } from "@/scripts/admin/command";
import { EXIT } from "@/scripts/cli/cli-error";
import type { Check } from "@/scripts/cli/doctor/check";
import { checkDatabase, checkDisk } from "@/scripts/cli/doctor/check-machine";

const HOUR_MS = 60 * 60 * 1000;
const OLD_WITHOUT_SCHEDULE_HOURS = 24;
const NEWEST_FILES = 100;

/** Commands that examine the instance and change nothing. */
export const DOCTOR_COMMANDS: Commands = {
  doctor: async () => {
    const checks = await examineInstance();
    const failed = checks.filter(({ status }) => status === "fail").length;
    if (failed > 0) process.exitCode = EXIT.unhealthy;
    return [
      ...checks.map(({ name, status, detail }) => `${MARKS[status]}  ${name}: ${detail}`),
      failed === 0 ? "No check failed." : `${failed} of ${checks.length} checks failed.`,
    ].join("\n");
  },
};

const MARKS = { ok: "ok  ", warn: "warn", fail: "FAIL", skip: "skip" } as const;

/**
 * Runs every check of the instance of this environment: its settings, directories, database, migrations, encryption key,
 * backups, files and mail server. Applies no migration and writes nothing to the database, so it can run before an upgrade, beside the
 * running instance. Starts the embedded database if it exists and does not run, and stops it again. Never throws for a
 * broken instance: each error fails its check.
 */
export async function examineInstance(): Promise<Check[]> {
  const dataDir = path.resolve(process.env.DATA_DIR || ".data");
  const isExternal = Boolean(process.env.DATABASE_URL);
  const folder = await inspect("data directory", async () => checkDataDir(dataDir, isExternal));
  const disk = await checkDisk();
  if (!isExternal && !existsSync(path.join(dataDir, "postgres.json"))) {
    const detail = "no embedded database yet: the first start creates it";
    return [folder, disk, { name: "database", status: "skip", detail }];
  }
  let release: () => Promise<void> = async () => undefined;
  try {
    const reached = await inspect("database", async () => {
      if (isExternal) await requireUsableDatabase(process.env.DATABASE_URL ?? "");
      else release = await openEmbedded(dataDir);
      reloadEnv();
      return checkDatabase();
    });
    const settings = await inspect("settings", async () => checkSettings(env(), { isExternal }));
    const before = [settings, folder, disk, reached];
    if (reached.status === "fail" || settings.status === "fail") return before;
    return [
      ...before,
      ...(await examineDatabase()),
      await inspect("files", checkFiles),
      await inspect("email", checkEmail),
    ];
  } finally {
    await closeDatabase();
    await release();
  }
}

async function examineDatabase(): Promise<Check[]> {
  const migrations = await inspect("migrations", checkMigrations);
  return [
    migrations,
    await inspect("encryption key", async () => {
      if (!(await hasTable("key_canaries"))) return NOTHING_STORED;
      await verifyEncryptionKey();
      return { status: "ok", detail: "decrypts the secrets in the database" };
    }),
    await inspect("backup", async () =>
      (await hasTable("instance_backups")) ? checkBackup() : NOTHING_STORED,
    ),
  ];
}

const NOTHING_STORED = { status: "skip", detail: "a migration that is pending creates the table" } as const;

function checkDataDir(dataDir: string, isExternal: boolean): Omit<Check, "name"> {
  if (isExternal && process.env.S3_BUCKET) {
    return { status: "skip", detail: "not used with DATABASE_URL and S3_BUCKET" };
  }
  if (!existsSync(dataDir))
    return { status: "warn", detail: `${dataDir} is missing: the next start creates it` };
  requireDataDir(dataDir);
  return { status: "ok", detail: `${dataDir} is writable` };
}

async function openEmbedded(dataDir: string): Promise<() => Promise<void>> {
  const postgres = await startEmbeddedPostgres({ dataDir, share: true });
  process.env.DATABASE_URL = postgres.url;
  const key = process.env.ENCRYPTION_KEY || readKeyFile(dataDir);
  if (key !== undefined) process.env.ENCRYPTION_KEY = key;
  return postgres.stop;
}

async function checkMigrations(): Promise<Omit<Check, "name">> {
  const pending = await pendingMigrations(env().DATABASE_URL);
  if (pending.length === 0) return { status: "ok", detail: "none is pending" };
  const remedy = pending.some(isContracting)
    ? "back up, and stop every process of the old release first"
    : "back up first, then replace the processes one at a time";
  const detail = `${pending.length} pending (${pending[0]} and later). The next start applies them: ${remedy}.`;
  return { status: "warn", detail };
}

/** Asks the store, and looks for the files of the newest attachments. */
async function checkFiles(): Promise<Omit<Check, "name">> {
  const store = objectStore();
  const problem = await store.probe?.();
  if (problem != null) return { status: "fail", detail: problem };
  if (await hasTable("attachments")) {
    const newest = await sql.runText<AttachmentFile>({
      text: `select account_id, id, size_bytes from attachments where status = 'complete'
             order by created_at desc limit ${NEWEST_FILES}`,
    });
    const { missingCount, missingFiles } = await compareFiles(store, async (after) =>
      after.id === newest.at(-1)?.id ? [] : newest,
    );
    if (missingCount > 0) {
      const detail = `${missingCount} of the newest ${newest.length} attachments have no file, such as ${missingFiles[0]}. Restore the files from a backup.`;
      return { status: "fail", detail };
    }
  }
  if ((await store.refusesReplacement?.()) === false)
    return { status: "warn", detail: `${REPLACEABLE_FILES}.` };
  return { status: "ok", detail: `${store.name}: the newest attachments have their files` };
}

// A warning, because messages are sent without email.
async function checkEmail(): Promise<Omit<Check, "name">> {
  const server = parseSmtpUrl(env().SMTP_URL ?? "");
  if (server === null) return { status: "skip", detail: "SMTP_URL is not set: no email is sent" };
  const address = `${server.host}:${server.port}`;
  const failure = await checkMailServer();
  if (failure === null)
    return { status: "ok", detail: `${address} accepts the connection and the credentials` };
  const remedy =
    failure.code === "EAUTH" ? "Correct the user name and the password" : "Check the host, the port and TLS";
  return { status: "warn", detail: `${address}: ${failure.code}, ${failure.reason}. ${remedy} in SMTP_URL.` };
}

async function checkBackup(): Promise<Omit<Check, "name">> {
  const { BACKUP_DIR: target, BACKUP_HOURS: hours } = env();
  const last = await lastBackupAt();
  const advice = "Run `npm run admin -- backup --to <folder>`";
  if (last === null) {
    const schedule = target === undefined ? ", or set BACKUP_DIR for scheduled backups" : "";
    return { status: "warn", detail: `Trunkline has made no backup. ${advice}${schedule}.` };
  }
  const ageHours = (Date.now() - last.getTime()) / HOUR_MS;
  const detail = `the last backup ended ${last.toISOString()} (${ageHours.toFixed(1)} hours ago)`;
  const longest = target === undefined ? OLD_WITHOUT_SCHEDULE_HOURS : 2 * hours;
  return ageHours > longest ? { status: "warn", detail: `${detail}. ${advice}.` } : { status: "ok", detail };
}

async function hasTable(name: string): Promise<boolean> {
  const [row] = await sql.runText<{ present: boolean }>({
    text: "select to_regclass($1) is not null as present",
    values: [name],
  });
  return row?.present === true;
}

/** Runs a check. Every error fails it, with its message. */
async function inspect(name: string, look: () => Promise<Omit<Check, "name">>): Promise<Check> {
  try {
    return { ...(await look()), name };
  } catch (error) {
    return { name, status: "fail", detail: error instanceof Error ? error.message : String(error) };
  }
}
