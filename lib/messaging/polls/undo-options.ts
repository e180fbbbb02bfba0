import "server-only";
import type { LockedMessage } from "@/lib/messaging/messages/locked-message";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const UNDO_POLL_OPTIONS = statement(
  "undo-poll-options",
  `with undone as (
    delete from poll_options where account_id = :accountId and message_id = :messageId and ref = any(:refs::text[]) returning id
  ), votes as (
    delete from poll_votes v using undone
    where v.account_id = :accountId and v.message_id = :messageId and v.option_id = undone.id
  )
  update polls set updated_at = :updatedAt
  where account_id = :accountId and message_id = :messageId and exists (select from undone)`,
);

/** Removes options that never reached the phones, with their votes. Emits no event. */
export async function undoOptions(
  tx: Sql,
  message: LockedMessage,
  { refs, at }: { refs: readonly string[]; at: Date },
): Promise<void> {
  await tx.run(UNDO_POLL_OPTIONS, {
    accountId: message.account_id,
    messageId: message.id,
    refs,
    updatedAt: at,
  });
}
