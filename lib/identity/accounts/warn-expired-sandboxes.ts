import "server-only";
import { recordNotice } from "@/lib/identity/notices/record-notice";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";

const KIND = "sandbox_expired";
const DAY_MS = 86_400_000;

interface Expired {
  id: string;
  expires_at: Date;
}

/**
 * Notifies the users of each expired sandbox once about its date of deletion. Withdraws the notice of sandboxes that
 * were extended.
 */
export async function warnExpiredSandboxes(at: Date, keptDays: number): Promise<void> {
  await sql.query({
    text: `update account_notices n set dismissed_at = $1 from accounts a
           where n.kind = $2 and n.dismissed_at is null and a.id = n.account_id
             and (a.expires_at is null or a.expires_at > $1)`,
    values: [at, KIND],
  });
  const expired = await sql.query<Expired>({
    text: `select a.id, a.expires_at from accounts a
           where a.type = 'sandbox' and a.expires_at <= $1 and not exists (
             select from account_notices n
             where n.account_id = a.id and n.kind = $2 and n.created_at >= a.expires_at)`,
    values: [at, KIND],
  });
  for (const account of expired) await transaction((tx) => warn(tx, account, { at, keptDays }));
}

function warn(tx: Sql, { id, expires_at }: Expired, { at, keptDays }: { at: Date; keptDays: number }) {
  const day = new Date(expires_at.getTime() + keptDays * DAY_MS).toISOString().slice(0, 10);
  return recordNotice(tx, {
    accountId: id,
    kind: KIND,
    severity: "critical",
    title: "This sandbox has expired",
    body: `API requests with its tokens fail. The sandbox and all its data will be deleted on or after ${day} unless your operator extends it.`,
    link: "/settings",
    objectId: null,
    at,
  });
}
