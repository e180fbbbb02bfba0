import "server-only";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";
import { canOpenSecret } from "@/lib/webhooks/signing/signing-secrets";
import { UNREADABLE_SECRET, withdrawUnreadable } from "@/lib/webhooks/subscriptions/endpoint-notice";

const MAX_NOTICES = 1000;

const FIND_UNREADABLE_SECRETS = plannedStatement(
  "find-unreadable-secrets",
  `select s.account_id, s.id, s.signing_secret
  from account_notices n join webhook_subscriptions s on s.account_id = n.account_id and s.id = n.object_id
  where n.kind = :unreadable and n.dismissed_at is null limit ${MAX_NOTICES}`,
);

/** Withdraws the notices about signing secrets that can be decrypted again. Returns the number of notices withdrawn. */
export async function withdrawSecretNotices(): Promise<number> {
  const rows = await sql.run(FIND_UNREADABLE_SECRETS, { unreadable: UNREADABLE_SECRET });
  const readable = rows.filter((row) => canOpenSecret(row.account_id, row.id, row.signing_secret));
  for (const { account_id: accountId, id } of readable) {
    await transaction((tx) => withdrawUnreadable(tx, { accountId, id }, now()));
  }
  return readable.length;
}
