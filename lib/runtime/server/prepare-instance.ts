import "server-only";
import { applyMigrations } from "@/lib/platform/migrate";
import { checkEncryptionKey } from "@/lib/runtime/server/check-encryption-key";
import { type Instance, openInstance } from "@/lib/runtime/server/open-instance";

/** Opens the instance, applies the migrations and checks the encryption key. Throws errors with readable messages. */
export async function prepareInstance(
  environment: NodeJS.ProcessEnv,
  options: { share?: boolean } = {},
): Promise<Instance> {
  const instance = await openInstance(environment, options);
  await upgradeDatabase(environment);
  return instance;
}

/** Applies the migrations to the database of an opened instance, and checks that the encryption key is its own. */
export async function upgradeDatabase(environment: NodeJS.ProcessEnv): Promise<void> {
  await applyMigrations(environment.DATABASE_URL ?? "");
  await checkEncryptionKey();
}
