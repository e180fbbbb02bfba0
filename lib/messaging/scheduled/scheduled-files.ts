import "server-only";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** Hours for which a file outlasts the time at which its message is due. */
const HOURS_AFTER_DUE = 24;

const KEEP_FILES = statement(
  "keep-files-of-scheduled",
  `update attachments t set expires_at = :dueAt::timestamptz + interval '${HOURS_AFTER_DUE} hours'
  from attachment_uses u where u.account_id = :accountId and u.message_id = any(:messageIds::uuid[])
    and t.account_id = u.account_id and t.id = u.attachment_id
    and t.expires_at < :dueAt::timestamptz + interval '${HOURS_AFTER_DUE} hours'`,
);

/** Keeps the files of scheduled messages until the last of them has been sent. */
export async function keepFiles(
  tx: Sql,
  files: { accountId: string; messageIds: readonly string[]; dueAt: Date },
): Promise<void> {
  await tx.run(KEEP_FILES, files);
}

const MOVE_FILES = statement(
  "move-files-of-scheduled",
  "update attachment_uses set message_id = :newId where account_id = :accountId and message_id = :messageId",
);

/** Makes the files of a scheduled message those of the message that replaces it. */
export async function moveFiles(
  tx: Sql,
  { accountId, messageId, newId }: { accountId: string; messageId: string; newId: string },
): Promise<void> {
  await tx.run(MOVE_FILES, { accountId, messageId, newId });
}

const FREE_FILES = statement(
  "free-files-of-scheduled",
  `with freed as (
    delete from attachment_uses u where u.account_id = :accountId and u.message_id = :messageId returning u.attachment_id
  )
  select t.id from freed join attachments t on t.account_id = :accountId and t.id = freed.attachment_id
  where t.source = 'url' and not exists (
    select from attachment_uses o
    where o.account_id = t.account_id and o.attachment_id = t.id and o.message_id <> :messageId)`,
);

/**
 * Ends the use of files by a message that will not be sent. Returns the ids of those that were downloaded for it alone:
 * delete them with `removeFiles` after the commit.
 */
export async function freeFiles(
  tx: Sql,
  { accountId, messageId }: { accountId: string; messageId: string },
): Promise<string[]> {
  const rows = await tx.run(FREE_FILES, { accountId, messageId });
  return rows.map(({ id }) => id);
}

/** Deletes files with their bytes. */
export async function removeFiles(accountId: string, attachmentIds: readonly string[]): Promise<void> {
  for (const attachmentId of attachmentIds) await removeAttachment({ accountId, attachmentId });
}
