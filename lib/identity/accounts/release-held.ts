import "server-only";
import { OPTIONS_KEPT_MS } from "@/lib/identity/accounts/find-account-options";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** How long after a change of the quiet hours held messages are due: other processes have read the new ones by then. */
export const RELEASED_AFTER_MS = OPTIONS_KEPT_MS + 1000;

// A message that has its own time again is no longer held.
const RELEASE_HELD_MESSAGES = statement(
  "release-held-messages",
  `update scheduled_messages s set due_at = greatest(s.asked_at, r.due_at), asked_at = case when s.asked_at > r.due_at then null else s.asked_at end,
    lease_until = null, attempts = 0, revision = s.revision + 1
  from (select date_trunc('second', :dueAt::timestamptz) as due_at) r
  where s.account_id = :accountId and s.asked_at is not null and s.due_at > :dueAt
    and (:handle::text is null or s.chat_id in (
      select p.chat_id from participants p where p.account_id = :accountId and p.handle = :handle and not p.is_me))`,
);

/**
 * Ends the wait of messages for the end of quiet hours, after a change of these: each is due at `dueAt`, or at the time that it asked
 * for if that is later. Quiet hours are evaluated again when it is due. `handle` = messages to one recipient; null = all.
 */
export async function releaseHeld(
  tx: Sql,
  { accountId, handle, dueAt }: { accountId: string; handle: string | null; dueAt: Date },
): Promise<void> {
  await tx.run(RELEASE_HELD_MESSAGES, { accountId, handle, dueAt });
  tx.wake("scheduled");
}
