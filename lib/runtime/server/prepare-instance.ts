import "server-only";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { requireUsableDatabase } from "@/lib/platform/check-database-url";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/lib/platform/embedded-postgres";
import { isLoopbackHost } from "@/lib/platform/env";
import { secretBytes } from "@/lib/platform/ids";
import { applyMigrations } from "@/lib/platform/migrate";
import { checkEncryptionKey } from "@/lib/runtime/server/check-encryption-key";
import { requireDataDir } from "@/lib/runtime/server/require-data-dir";

export interface Instance {
  dataDir: string;
  /** The PostgreSQL this process started, or null with DATABASE_URL. */
  postgres: EmbeddedPostgres | null;
}

/**
 * Supplies what the configuration omits: without DATABASE_URL, an embedded PostgreSQL and an ENCRYPTION_KEY under
 * DATA_DIR. Then applies the migrations. Afterwards `env()` is complete. Throws errors with readable messages.
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
  if (postgres !== null) {
    environment.DATABASE_URL = postgres.url;
    // The demo's first webhook receiver runs on the same machine.
    if (environment.WEBHOOK_ALLOW_PRIVATE === undefined && isLoopbackHost(environment.HOST ?? "localhost")) {
      environment.WEBHOOK_SANDBOX_LOOPBACK ??= "1";
    }
    environment.ENCRYPTION_KEY ||= readKeyFile(dataDir) ?? makeKeyFile(dataDir);
  }
  await applyMigrations(environment.DATABASE_URL ?? "");
  await checkEncryptionKey();
  return { dataDir, postgres };
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
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

function makeKeyFile(dataDir: string): string {
  const key = secretBytes(32).toString("base64");
  writePrivateFile(keyFile(dataDir), `${key}\n`);
  return key;
}

function keyFile(dataDir: string): string {
  return path.join(dataDir, "encryption-key");
}

/** Writes a file that only its owner can read, and creates its directory if missing. */
export function writePrivateFile(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}
