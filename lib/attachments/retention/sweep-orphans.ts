import "server-only";
import { objectStore } from "@/lib/adapters/storage/registry";
import { fileOfKey } from "@/lib/attachments/attachment";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/**
 * Bytes exist before their row is inserted and while it is being deleted, so recent objects are not orphans. Wall
 * clock, as in stores.
 */
const YOUNG_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes stored objects without an attachment, left behind by processes that died. Returns the number of deleted
 * objects.
 */
export async function sweepOrphans(stop: AbortSignal): Promise<number> {
  const store = objectStore();
  const before = Date.now() - YOUNG_MS;
  let swept = 0;
  for await (const page of store.list()) {
    if (stop.aborted) break;
    const old = page.filter(({ storedAt }) => storedAt.getTime() < before).map(({ key }) => key);
    for (const key of await withoutRow(old)) {
      await store.delete(key);
      swept++;
    }
  }
  return swept;
}

const FIND_ORPHANED_FILES = statement(
  "find-orphaned-files",
  `select o.key as "key!" from unnest(:keys::text[], :accountIds::uuid[], :namedIds::uuid[]) as o(key, account_id, id)
  where not exists (select 1 from attachments a where a.account_id = o.account_id and a.id = o.id)`,
);

// Considers only keys in the format of attachments. A bucket can contain other objects, which Trunkline must not
// delete.
async function withoutRow(keys: readonly string[]): Promise<string[]> {
  const named = keys.flatMap((key) => {
    const file = fileOfKey(key);
    return file === null ? [] : [{ key, accountId: file.accountId, id: file.attachmentId }];
  });
  if (named.length === 0) return [];
  const rows = await sql.run(FIND_ORPHANED_FILES, {
    keys: named.map(({ key }) => key),
    accountIds: named.map(({ accountId }) => accountId),
    namedIds: named.map(({ id }) => id),
  });
  return rows.map(({ key }) => key);
}
