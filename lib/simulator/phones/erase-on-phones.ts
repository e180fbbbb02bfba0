import "server-only";
import type { ErasedContent } from "@/lib/messaging/expiry/content-copies";
import type { Sql } from "@/lib/platform/database/db";

/**
 * Erases from phones the content of these messages and of everything up to `before`, including texts that never became
 * messages in Trunkline. Their edits, reactions and other actions, and messages that a fault still holds back, are
 * deleted. The times of creation, delivery and reading stay.
 */
export async function eraseOnPhones(
  tx: Sql,
  { accountId, messageIds, before }: ErasedContent,
): Promise<void> {
  await tx.query({
    text: `with gone as materialized (
             select line_id, ref from transport_refs where account_id = $1 and message_id = any($2::uuid[])
           ), actions as (
             delete from simulator_actions a using gone where a.account_id = $1 and a.action ->> 'ref' = gone.ref
           )
           update simulator_messages m set parts = '[]', effect = null
           from gone where m.account_id = $1 and m.line_id = gone.line_id and m.ref = gone.ref and m.parts <> '[]'`,
    values: [accountId, messageIds],
  });
  if (before === null) return;
  await tx.query({
    text: `with actions as (
             delete from simulator_actions where account_id = $1 and created_at <= $2
           ), delayed as (
             delete from simulator_delayed_messages where account_id = $1 and created_at <= $2
           )
           update simulator_messages set parts = '[]', effect = null
           where account_id = $1 and parts <> '[]' and created_at <= $2`,
    values: [accountId, before],
  });
}
