import "server-only";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkEncryptionKey, verifyEncryptionKey } from "@/lib/operations/startup/check-encryption-key";
import { requireDataDir } from "@/lib/operations/startup/require-data-dir";
import { closeDatabase } from "@/lib/platform/database/db";
import { secretBytes } from "@/lib/platform/ids";
import { isLoopbackHost } from "@/lib/platform/is-loopback-host";
import { requireUsableDatabase } from "@/lib/platform/postgres/check-database-url";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/lib/platform/postgres/embedded-postgres";
import { applyMigrations } from "@/lib/platform/postgres/migrate";
import { createPrivateFile } from "@/lib/platform/postgres/private-file";

export interface Instance {
  dataDir: string;
  /** The PostgreSQL this process started, or null with DATABASE_URL. */
  postgres: EmbeddedPostgres | null;
}

/**
 * Supplies what the configuration omits: without DATABASE_URL, an embedded PostgreSQL and an ENCRYPTION_KEY under
 * DATA_DIR. Then applies the migrations. Afterwards `env()` is complete. Throws errors with readable messages, and then
 * leaves no PostgreSQL running that it started.
 */
export async function prepareInstance(
  environment: NodeJS.ProcessEnv,
  { share = false }: { share?: boolean } = {},
): Promise<Instance> {
  const dataDir = path.resolve(environment.DATA_DIR ?? ".data");
  const external = environment.DATABASE_URL !== undefined && environment.DATABASE_URL !== "";
  if (external) {
    requireEncryptionKey(environment);
    await requireUsableDatabase(environment.DATABASE_URL ?? "");
  }
  // With an external database and bucket, nothing is stored in the data directory.
  if (!external || !environment.S3_BUCKET) requireDataDir(dataDir);

  const postgres = external ? null : await startEmbeddedPostgres({ dataDir, share });
  try {
    if (postgres !== null) completeEnvironment(environment, postgres);
    await applyMigrations(environment.DATABASE_URL ?? "");
    if (!environment.ENCRYPTION_KEY) await readOrMakeKey(environment, dataDir);
    await checkEncryptionKey();
    return { dataDir, postgres };
  } catch (error) {
    await closeDatabase();
    await postgres?.stop();
    throw error;
  }
}

function completeEnvironment(environment: NodeJS.ProcessEnv, { url }: EmbeddedPostgres): void {
  environment.DATABASE_URL = url;
  // The demo's first webhook receiver runs on the same machine.
  if (environment.WEBHOOK_ALLOW_PRIVATE === undefined && isLoopbackHost(environment.HOST || "localhost")) {
    environment.WEBHOOK_SANDBOX_LOOPBACK ??= "1";
  }
}

/** Sets the key in the data directory. The first start makes one, but never for a database that another key sealed. */
async function readOrMakeKey(environment: NodeJS.ProcessEnv, dataDir: string): Promise<void> {
  const stored = readKeyFile(dataDir);
  environment.ENCRYPTION_KEY = stored ?? secretBytes(32).toString("base64");
  if (stored !== undefined) return;
  await verifyEncryptionKey().catch(() => {
    throw new Error(
      `The encryption key of this database is missing: ${keyFile(dataDir)} does not exist and ENCRYPTION_KEY is not set. Restore the file, or set ENCRYPTION_KEY to the key.`,
    );
  });
  // Another process may have been faster.
  if (!createPrivateFile(keyFile(dataDir), `${environment.ENCRYPTION_KEY}\n`))
    environment.ENCRYPTION_KEY = readKeyFile(dataDir);
}

function requireEncryptionKey(environment: NodeJS.ProcessEnv): void {
  if (environment.ENCRYPTION_KEY) return;
  throw new Error(
    "DATABASE_URL is set, so ENCRYPTION_KEY is required: 32 random bytes in base64, for example from `openssl rand -base64 32`. Back up the key: data encrypted with it can't be decrypted without it.",
  );
}

/** Returns the encryption key in the data directory, or undefined before the first start with the embedded database. */
export function readKeyFile(dataDir: string): string | undefined {
  const file = keyFile(dataDir);
  if (!existsSync(file)) return undefined;
  const key = readFileSync(file, "utf8").trim();
  if (key !== "") return key;
  throw new Error(`${file} is empty. Restore the file, or set ENCRYPTION_KEY to the key of this instance.`);
}

/** The file with the encryption key of a data directory. */
export function keyFile(dataDir: string): string {
  return path.join(dataDir, "encryption-key");
}
