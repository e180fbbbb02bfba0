import "server-only";
import { recordNotice } from "@/lib/identity/notices/record-notice";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";

const KIND = "sandbox_expired";
const DAY_MS = 86_400_000;

type Expired = RowOf<"find-sandboxes-to-warn">;

const DISMISS_SANDBOX_NOTICES = plannedStatement(
  "dismiss-sandbox-notices",
  `update account_notices n set dismissed_at = :dismissedAt from accounts a
  where n.kind = :kind and n.dismissed_at is null and a.id = n.account_id
    and (a.expires_at is null or a.expires_at > :dismissedAt)`,
);

const FIND_SANDBOXES_TO_WARN = plannedStatement(
  "find-sandboxes-to-warn",
  `select a.id, a.expires_at from accounts a
  where a.type = 'sandbox' and a.expires_at <= :expiresAt and not exists (
    select from account_notices n
    where n.account_id = a.id and n.kind = :kind and n.created_at >= a.expires_at)`,
);

/**
 * Notifies the users of each expired sandbox once about its date of deletion. Withdraws the notice of sandboxes that
 * were extended.
 */
export async function warnExpiredSandboxes(at: Date, keptDays: number): Promise<void> {
  await sql.run(DISMISS_SANDBOX_NOTICES, { dismissedAt: at, kind: KIND });
  const expired = await sql.run(FIND_SANDBOXES_TO_WARN, { expiresAt: at, kind: KIND });
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
