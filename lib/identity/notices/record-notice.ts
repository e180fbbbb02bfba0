import "server-only";
import type { Notice } from "@/lib/identity/notices/notice";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";

export interface NewNotice extends Pick<Notice, "kind" | "severity" | "title" | "body" | "link"> {
  accountId: string;
  /** The resource that the notice is about; null = the account itself. */
  objectId: string | null;
  /** The only person who sees the notice. Absent: everyone. With `teamId`, the member who does not see it. */
  userId?: string | null;
  /** The team whose members see the notice. */
  teamId?: string;
  at: Date;
}

const RECORD_NOTICE = plannedStatement(
  "record-notice",
  `insert into account_notices (account_id, id, kind, severity, title, body, link, object_id, created_at,
    user_id, team_id)
  values (:accountId, :id, :kind, :severity, :title, :body, :link, :objectId, :createdAt, :userId, :teamId)`,
);

/** Adds a notice for the account's users, in the transaction of the change that causes it. */
export async function recordNotice(tx: Sql, notice: NewNotice): Promise<void> {
  const { accountId, kind, severity, title, body, link, objectId, at, userId = null, teamId = null } = notice;
  await tx.run(RECORD_NOTICE, {
    accountId,
    id: newId(at.getTime()),
    kind,
    severity,
    title,
    body,
    link,
    objectId,
    createdAt: at,
    userId,
    teamId,
  });
}

const WITHDRAW_NOTICES = plannedStatement(
  "withdraw-notices",
  `update account_notices set dismissed_at = :aboutAt
  where account_id = :accountId and object_id = :objectId and kind = any(:kinds) and dismissed_at is null`,
);

/** Dismisses a resource's open notices of these kinds. */
export async function withdrawNotices(
  tx: Sql,
  about: { accountId: string; objectId: string; kinds: readonly string[]; at: Date },
): Promise<void> {
  await tx.run(WITHDRAW_NOTICES, {
    accountId: about.accountId,
    objectId: about.objectId,
    kinds: about.kinds,
    aboutAt: about.at,
  });
}
