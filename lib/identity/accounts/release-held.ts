import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const RELEASE_HELD_MESSAGES = statement(
  "release-held-messages",
  `update scheduled_messages s set due_at = date_trunc('second', :dueAt::timestamptz), lease_until = null, attempts = 0,
    revision = s.revision + 1
  where s.account_id = :accountId and s.held and s.due_at > :dueAt and (:handle::text is null or s.chat_id in (
    select p.chat_id from participants p where p.account_id = :accountId and p.handle = :handle and not p.is_me))`,
);

/**
 * Lets messages be due that wait for the end of quiet hours, after a change of these: they are judged again then. `handle` = those
 * to one recipient; null = all.
 */
export async function releaseHeld(
  tx: Sql,
  { accountId, handle, dueAt }: { accountId: string; handle: string | null; dueAt: Date },
): Promise<void> {
  await tx.run(RELEASE_HELD_MESSAGES, { accountId, handle, dueAt });
  tx.wake("scheduled");
}
