import "server-only";
import type { ErasedContent } from "@/lib/messaging/expiry/content-copies";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

const ERASE_MESSAGES_ON_PHONES = plannedStatement(
  "erase-messages-on-phones",
  `with gone as materialized (
    select line_id, ref from transport_refs where account_id = :accountId and message_id = any(:messageIds::uuid[])
  ), actions as (
    delete from simulator_actions a using gone where a.account_id = :accountId and a.action ->> 'ref' = gone.ref
  )
  update simulator_messages m set parts = '[]', effect = null
  from gone where m.account_id = :accountId and m.line_id = gone.line_id and m.ref = gone.ref and m.parts <> '[]'`,
);

const ERASE_OLD_MESSAGES_ON_PHONES = plannedStatement(
  "erase-old-messages-on-phones",
  `with actions as (
    delete from simulator_actions where account_id = :accountId and created_at <= :before
  ), delayed as (
    delete from simulator_delayed_messages where account_id = :accountId and created_at <= :before
  )
  update simulator_messages set parts = '[]', effect = null
  where account_id = :accountId and parts <> '[]' and created_at <= :before`,
);

/**
 * Erases from phones the content of these messages and of everything up to `before`, including texts that never became
 * messages in Trunkline. Their edits, reactions and other actions, and messages that a fault still holds back, are
 * deleted. The times of creation, delivery and reading stay.
 */
export async function eraseOnPhones(
  tx: Sql,
  { accountId, messageIds, before }: ErasedContent,
): Promise<void> {
  await tx.run(ERASE_MESSAGES_ON_PHONES, { accountId, messageIds });
  if (before === null) return;
  await tx.run(ERASE_OLD_MESSAGES_ON_PHONES, { accountId, before });
}
