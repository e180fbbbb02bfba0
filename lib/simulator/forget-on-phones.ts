import "server-only";
import type { ErasedContent } from "@/lib/messaging/messages/content-copies";
import type { Sql } from "@/lib/platform/db";

/**
 * Empties what phones got and wrote of these messages, and all from before `before`, also what never became a message
 * here; what was done to them (edits, reactions) goes whole. When something came, was delivered and read stays.
 */
export async function forgetOnPhones(
  tx: Sql,
  { accountId, messageIds, before }: ErasedContent,
): Promise<void> {
  await tx.query({
    text: `with gone as materialized (
             select ref from transport_refs where account_id = $1 and message_id = any($2::uuid[])
           ), actions as (
             delete from simulator_actions
             where account_id = $1 and (created_at <= $3 or action ->> 'ref' in (select ref from gone))
           )
           update simulator_messages set parts = '[]', effect = null
           where account_id = $1 and parts <> '[]' and (created_at <= $3 or ref in (select ref from gone))`,
    values: [accountId, messageIds, before],
  });
}
