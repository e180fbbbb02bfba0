import "server-only";
import type { Notice } from "@/lib/identity/notices/notice";
import type { Sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";

export interface NewNotice extends Pick<Notice, "kind" | "severity" | "title" | "body" | "link"> {
  accountId: string;
  /** The resource that the notice is about; null = the account itself. */
  objectId: string | null;
  /** The only person who sees the notice. Absent: everyone. */
  userId?: string;
  at: Date;
}

/** Adds a notice for the account's users, in the transaction of the change that causes it. */
export async function recordNotice(tx: Sql, notice: NewNotice): Promise<void> {
  const { accountId, kind, severity, title, body, link, objectId, at, userId = null } = notice;
  await tx.query({
    text: `insert into account_notices (account_id, id, kind, severity, title, body, link, object_id, created_at,
             user_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [accountId, newId(at.getTime()), kind, severity, title, body, link, objectId, at, userId],
  });
}

/** Dismisses a resource's open notices of these kinds. */
export async function withdrawNotices(
  tx: Sql,
  about: { accountId: string; objectId: string; kinds: readonly string[]; at: Date },
): Promise<void> {
  await tx.query({
    text: `update account_notices set dismissed_at = $4
           where account_id = $1 and object_id = $2 and kind = any($3) and dismissed_at is null`,
    values: [about.accountId, about.objectId, about.kinds, about.at],
  });
}
