import "server-only";
import { expireMessageFiles } from "@/lib/attachments/retention/expire-message-files";
import { eraseCopies } from "@/lib/messaging/expiry/content-copies";
import { eraseContentElsewhere } from "@/lib/messaging/expiry/erase-content";
import { byKey, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** Large enough that the statements of a batch are few, and small enough that a deleted message waits only briefly. */
const BATCH_MESSAGES = 500;

/** A range of an account's messages whose content expires: ids between `after` and `until`, created up to `before`. */
export interface ExpiryRange {
  accountId: string;
  after: string;
  until: string;
  before: Date;
  at: Date;
}

// With its content, so that each row is written once.
const MARK = statement(
  "mark-expired-messages",
  `with due as materialized (
    select account_id, id from messages
    where account_id = :accountId and id > :after and id < :until and deleted_at is null and created_at <= :before
    order by id limit ${BATCH_MESSAGES} for update
  )
  update messages m set deleted_at = :deletedAt, dispatch_at = null, parts = '[]', effect = null, reply_to = null
  from due where ${byKey("m", { account_id: "due.account_id", id: "due.id" })}
  returning m.id`,
);

/** Erases the content of the next messages and keeps their metadata. Returns their ids in order. */
export async function expireBatch({ accountId, after, until, before, at }: ExpiryRange): Promise<string[]> {
  return transaction(async (tx) => {
    const rows = await tx.run(MARK, { accountId, after, until, before, deletedAt: at });
    const messageIds = rows.map(({ id }) => id).toSorted();
    if (messageIds.length === 0) return [];

    await expireMessageFiles(tx, { accountId, messageIds, at });
    // expire-content.ts erases what belongs to no message, once after all batches.
    await eraseCopies(tx, { accountId, messageIds, before: null });
    await eraseContentElsewhere(tx, accountId, messageIds);
    return messageIds;
  });
}
