import "server-only";
import { checkoutSessionContext } from "@/lib/payments/requests/checkout-session";
import {
  opensWith,
  sealingKeyIds,
  sealWithKey,
  UnreadableSecret,
  unseal,
} from "@/lib/platform/crypto/crypto";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { signingSecretContext } from "@/lib/webhooks/signing/signing-secrets";

const CONTEXT = { purpose: "key canary" };
const TEXT = "this instance's ENCRYPTION_KEY";

const SAMPLED = 10;

/** A known text, sealed under one of the keys of a database. */
export type CanaryRow = RowOf<"select-canaries">;

/** The statement that reads the known texts of a database. */
export const SELECT_CANARIES = plannedStatement(
  "select-canaries",
  "select key_id, sealed from key_canaries order by key_id",
);

/**
 * Whether a value of ENCRYPTION_KEY opens the secrets of a database with these known texts. null = the database is of a
 * version without them. Throws for a value that is not a key.
 */
export function opensDatabase(setting: string, canaries: readonly CanaryRow[]): boolean | null {
  return canaries.length === 0 ? null : canaries.every(({ sealed }) => opensWith(setting, sealed, CONTEXT));
}

/**
 * Rejects an ENCRYPTION_KEY that did not seal this database. The first start seals a known text under each key; later
 * starts open it. A database of an earlier version has no such text, so some of its secrets are opened instead. Throws
 * an Error that names the setting and the fix.
 */
export async function checkEncryptionKey(): Promise<void> {
  const canaries = await verifyEncryptionKey();
  const missing = sealingKeyIds().filter((id) => !canaries.some(({ key_id }) => key_id === id));
  if (missing.length === 0) return;

  await insertCanaries(sql, missing);
  // Another process may have stored its texts first, with another key.
  for (const canary of await selectCanaries()) checkCanary(canary);
}

/** Like `checkEncryptionKey`, but changes nothing. Returns the stored texts, which the key opens. */
export async function verifyEncryptionKey(): Promise<readonly { key_id: string }[]> {
  const canaries = await selectCanaries();
  for (const canary of canaries) checkCanary(canary);
  if (canaries.length === 0) await checkAnySecret();
  return canaries;
}

const RETIRE_OTHER_KEYS = plannedStatement(
  "retire-other-keys",
  "delete from key_canaries where key_id <> :first",
);

/** Called after all secrets were resealed under the first key: starts no longer need the other keys. */
export async function retireOtherKeys(): Promise<void> {
  const [first = ""] = sealingKeyIds();
  await transaction(async (tx) => {
    await tx.run(RETIRE_OTHER_KEYS, { first });
    await insertCanaries(tx, [first]);
  });
}

function selectCanaries(): Promise<CanaryRow[]> {
  return sql.run(SELECT_CANARIES);
}

const INSERT_CANARIES = plannedStatement(
  "insert-canaries",
  `insert into key_canaries (key_id, sealed) select * from unnest(:keyIds::text[], :withKeys::bytea[])
  on conflict do nothing`,
);

async function insertCanaries(on: Sql, keyIds: readonly string[]): Promise<void> {
  await on.run(INSERT_CANARIES, { keyIds, withKeys: keyIds.map((id) => sealWithKey(id, TEXT, CONTEXT)) });
}

function checkCanary({ key_id, sealed }: CanaryRow): void {
  if (!sealingKeyIds().includes(key_id)) {
    throw new Error(
      `ENCRYPTION_KEY does not contain the key "${key_id}", which encrypts secrets in this database. Add the key after the first one, separated by a comma, and run \`npm run admin -- reseal\` before you remove it.`,
    );
  }
  if (!opens(() => unseal(sealed, CONTEXT))) throw wrongKey(key_id);
}

const FIND_SAMPLE_SECRETS = plannedStatement(
  "find-sample-secrets",
  `(select account_id, id, signing_secret as sealed, true as is_webhook
   from webhook_subscriptions where deleted_at is null limit ${SAMPLED})
  union all
  (select account_id, id, session_sealed, false from payment_requests limit ${SAMPLED})`,
);

// Checks several secrets, because a single damaged one does not mean that the key is wrong.
async function checkAnySecret(): Promise<void> {
  const rows = await sql.run(FIND_SAMPLE_SECRETS);
  const readable = rows.some(({ account_id: accountId, id, sealed, is_webhook }) => {
    const context = is_webhook
      ? signingSecretContext(accountId, id)
      : checkoutSessionContext({ accountId, id });
    return opens(() => unseal(sealed, context));
  });
  if (rows.length > 0 && !readable) throw wrongKey(sealingKeyIds().join(", "));
}

function opens(open: () => string): boolean {
  try {
    open();
    return true;
  } catch (error) {
    if (error instanceof UnreadableSecret) return false;
    throw error;
  }
}

function wrongKey(keyId: string): Error {
  return new Error(
    `ENCRYPTION_KEY is wrong: its key "${keyId}" can't decrypt the secrets in this database. Restore the key that this database was created with. Without it, signing secrets and checkout links can't be decrypted.`,
  );
}
