import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { objectStore } from "@/lib/adapters/storage/registry";
import { type AttachmentRow, objectKey } from "@/lib/attachments/attachment";
import { mapLimited } from "@/lib/platform/tasks/map-limited";
import { log } from "@/lib/platform/telemetry/log";

/** Why a complete attachment can't be used. */
export const LOST_FILE =
  "the stored file is missing: restore the files from a backup, or create another attachment";

const CONCURRENT_CHECKS = 4;
const CHECK_MS = 1000;

type StoredFile = Pick<AttachmentRow, "id" | "account_id">;

/**
 * Whether the store no longer has the file of a complete attachment, for example because its disk was replaced. false when
 * the store does not answer within a second, because the file may be there.
 */
export async function isLost(file: StoredFile): Promise<boolean> {
  return (await findLost([file])).has(file.id);
}

/**
 * The ids of the complete attachments whose files the store no longer has. Checks four at a time, for a second in all. Those
 * for which the store did not answer are not among them.
 */
export async function findLost(files: readonly StoredFile[]): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set();
  const lost = new Set<string>();
  let isLate = false;
  const checks = mapLimited(CONCURRENT_CHECKS, files, async (file) => {
    if (!isLate && (await isMissing(file))) lost.add(file.id);
  });
  const late = new AbortController();
  const timeout = sleep(CHECK_MS, undefined, { signal: late.signal }).then(
    () => {
      isLate = true;
      log.warn({ files: files.length }, "the store of files does not answer in time");
    },
    () => undefined,
  );
  await Promise.race([checks, timeout]);
  late.abort();
  return new Set(lost);
}

async function isMissing({ id, account_id }: StoredFile): Promise<boolean> {
  try {
    return (await objectStore().head(objectKey({ accountId: account_id, attachmentId: id }))) === null;
  } catch (error) {
    log.warn({ err: error, attachmentId: id }, "the store of files does not answer");
    return false;
  }
}
