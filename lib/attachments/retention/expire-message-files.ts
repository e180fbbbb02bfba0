import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/**
 * Expires the ephemeral files of expired messages immediately, unless another message contains them too. The sweep of
 * attachments removes bytes and rows. Persistent files stay until DELETE (partner-api.md, Retention).
 */
export async function expireMessageFiles(
  tx: Sql,
  { accountId, messageIds, at }: { accountId: string; messageIds: readonly string[]; at: Date },
): Promise<void> {
  await tx.query({
    text: `with shown as (
             delete from attachment_uses where account_id = $1 and message_id = any($2::uuid[])
             returning attachment_id
           )
           update attachments a set expires_at = least(a.expires_at, $3)
           from (select distinct attachment_id from shown) s
           where a.account_id = $1 and a.id = s.attachment_id and a.tier = 'ephemeral' and not exists (
             select 1 from attachment_uses o
             where o.account_id = $1 and o.attachment_id = a.id and o.message_id <> all($2::uuid[]))`,
    values: [accountId, messageIds, at],
  });
  tx.wake("attachments");
}
