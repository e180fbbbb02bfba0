import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
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
  const [row] = await sql.query<{ id: string }>({
    text: `with notice as (
             select account_id, id from account_notices
             where account_id = $1 and id = $2 and (user_id is null or user_id = $3)
           ), stored as (
             insert into notice_dismissals (account_id, notice_id, user_id, dismissed_at)
             select account_id, id, $3, $4 from notice on conflict do nothing
           )
           select id from notice`,
    values: [ctx.account.id, params.noticeId, userId, ctx.now],
  });
  if (row === undefined) fail("name_unknown", "the account has no notice with this ID");
}

/** Takes back `dismissNotice`. A notice that has ended stays ended. Errors: access_denied, name_unknown. */
export async function restoreNotice(
  ctx: Context,
  { params }: Pick<Input<typeof RestoreNotice>, "params">,
): Promise<undefined> {
  const userId = callerOf(ctx);
  const [row] = await sql.query<{ id: string }>({
    text: `with restored as (
             delete from notice_dismissals where account_id = $1 and notice_id = $2 and user_id = $3
           )
           select id from account_notices where account_id = $1 and id = $2 and (user_id is null or user_id = $3)`,
    values: [ctx.account.id, params.noticeId, userId],
  });
  if (row === undefined) fail("name_unknown", "the account has no notice with this ID");
}

function callerOf({ actor }: Context): string {
  if (actor.type !== "user") fail("access_denied", "sign in to the dashboard first");
  return actor.userId;
}
