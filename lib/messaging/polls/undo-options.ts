import "server-only";
import type { LockedMessage } from "@/lib/messaging/messages/locked-message";
import type { Sql } from "@/lib/platform/database/db";

/** Removes options that never reached the phones, with their votes. Emits no event. */
export async function undoOptions(
  tx: Sql,
  message: LockedMessage,
  { refs, at }: { refs: readonly string[]; at: Date },
): Promise<void> {
  await tx.query({
    name: "undo-poll-options",
    text: `with undone as (
             delete from poll_options where account_id = $1 and message_id = $2 and ref = any($3::text[]) returning id
           ), votes as (
             delete from poll_votes v using undone
             where v.account_id = $1 and v.message_id = $2 and v.option_id = undone.id
           )
           update polls set updated_at = $4
           where account_id = $1 and message_id = $2 and exists (select from undone)`,
    values: [message.account_id, message.id, refs, at],
  });
}
