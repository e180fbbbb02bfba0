import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

const EXPIRE_MESSAGE_FILES = plannedStatement(
  "expire-message-files",
  `with shown as (
    delete from attachment_uses where account_id = :accountId and message_id = any(:messageIds::uuid[])
    returning attachment_id
  )
  update attachments a set expires_at = least(a.expires_at, :at)
  from (select distinct attachment_id from shown) s
  where a.account_id = :accountId and a.id = s.attachment_id and a.tier = 'ephemeral' and not exists (
    select 1 from attachment_uses o
    where o.account_id = :accountId and o.attachment_id = a.id and o.message_id <> all(:messageIds::uuid[]))`,
);

/**
 * Expires the ephemeral files of expired messages immediately, unless another message contains them too. The sweep of
 * attachments removes bytes and rows. Persistent files stay until DELETE (docs/contract.md, section 10.4).
 */
export async function expireMessageFiles(
  tx: Sql,
  { accountId, messageIds, at }: { accountId: string; messageIds: readonly string[]; at: Date },
): Promise<void> {
  await tx.run(EXPIRE_MESSAGE_FILES, { accountId, messageIds, at });
  tx.wake("attachments");
}
