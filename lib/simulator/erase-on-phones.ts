import "server-only";
import type { ErasedContent } from "@/lib/messaging/messages/content-copies";
import type { Sql } from "@/lib/platform/db";

/**
 * Erases from phones the content of these messages and of everything up to `before`, including texts that never became
 * messages in Trunkline. Their edits, reactions and other actions, and messages that a fault still holds back, are deleted. The times of creation, delivery and
 * reading stay.
 */
export async function eraseOnPhones(
  tx: Sql,
  { accountId, messageIds, before }: ErasedContent,
): Promise<void> {
  await tx.query({
    text: `with gone as materialized (
             select ref from transport_refs where account_id = $1 and message_id = any($2::uuid[])
           ), actions as (
             delete from simulator_actions
             where account_id = $1 and (created_at <= $3 or action ->> 'ref' in (select ref from gone))
           ), delayed as (
             delete from simulator_delayed_messages where account_id = $1 and created_at <= $3
           )
           update simulator_messages set parts = '[]', effect = null
           where account_id = $1 and parts <> '[]' and (created_at <= $3 or ref in (select ref from gone))`,
    values: [accountId, messageIds, before],
  });
}
