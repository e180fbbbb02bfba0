import "server-only";
import { z } from "zod";
import { actorId } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

export const DismissNotice = contract({
  summary: "Dismiss a notice",
  tag: "Notices",
  right: "dismiss_notices",
  params: z.object({ noticeId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "name_unknown"],
});

/**
 * Dismisses a notice for all users of the account. Dismissing it again changes nothing. Errors: name_unknown (also for
 * another account's notice and for a colleague's own).
 */
export async function dismissNotice(
  ctx: Context,
  { params }: Pick<Input<typeof DismissNotice>, "params">,
): Promise<undefined> {
  const seen = [{ userId: null }, { userId: actorId(ctx.actor) }];
  const where = { accountId: ctx.account.id, id: params.noticeId, OR: seen };
  const { count } = await prisma().accountNotice.updateMany({
    where: { ...where, dismissedAt: null },
    data: { dismissedAt: ctx.now },
  });
  if (count === 0 && (await prisma().accountNotice.count({ where })) === 0) {
    fail("name_unknown", "the account has no notice with this ID");
  }
}
