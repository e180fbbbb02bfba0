import "server-only";
import { z } from "zod";
import { SEES_NOTICE } from "@/lib/identity/notices/notice";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const change = {
  tag: "Notices",
  right: "signed_in",
  params: z.object({ noticeId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "name_unknown"],
} as const;

export const DismissNotice = contract({ ...change, summary: "Dismiss a notice for yourself" });
export const RestoreNotice = contract({ ...change, summary: "Show a notice that you dismissed again" });

const DISMISS_NOTICE = plannedStatement(
  "dismiss-notice",
  `with notice as (
    select n.account_id, n.id from account_notices n
    where n.account_id = :accountId and n.id = :noticeId and ${SEES_NOTICE}
  ), stored as (
    insert into notice_dismissals (account_id, notice_id, user_id, dismissed_at)
    select account_id, id, :userId, :now from notice on conflict do nothing
  )
  select id from notice`,
);

/**
 * Dismisses a notice for the caller: other users still see it. Dismissing it again changes nothing. Errors:
 * access_denied (only people dismiss notices), name_unknown (also for another account's
 * notice and for a colleague's own).
 */
export async function dismissNotice(
  ctx: Context,
  { params }: Pick<Input<typeof DismissNotice>, "params">,
): Promise<undefined> {
  const userId = callerOf(ctx);
  const [row] = await sql.run(DISMISS_NOTICE, {
    accountId: ctx.account.id,
    noticeId: params.noticeId,
    userId,
    now: ctx.now,
  });
  if (row === undefined) fail("name_unknown", "the account has no notice with this ID");
}

const RESTORE_NOTICE = plannedStatement(
  "restore-notice",
  `with restored as (
    delete from notice_dismissals where account_id = :accountId and notice_id = :noticeId and user_id = :userId
  )
  select n.id from account_notices n where n.account_id = :accountId and n.id = :noticeId and ${SEES_NOTICE}`,
);

/** Takes back `dismissNotice`. A notice that has ended stays ended. Errors: access_denied, name_unknown. */
export async function restoreNotice(
  ctx: Context,
  { params }: Pick<Input<typeof RestoreNotice>, "params">,
): Promise<undefined> {
  const userId = callerOf(ctx);
  const [row] = await sql.run(RESTORE_NOTICE, {
    accountId: ctx.account.id,
    noticeId: params.noticeId,
    userId,
  });
  if (row === undefined) fail("name_unknown", "the account has no notice with this ID");
}

function callerOf({ actor }: Context): string {
  if (actor.type !== "user") fail("access_denied", "sign in to the dashboard first");
  return actor.userId;
}
