import "server-only";
import { z } from "zod";
import { actorId } from "@/lib/identity/audit/record-audit";
import { Notice, noticeSelect, toNotice } from "@/lib/identity/notices/notice";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/db";

const MAX_SHOWN = 100;

export const ListNotices = contract({
  summary: "List the account's open notices",
  tag: "Notices",
  right: "signed_in",
  returns: z.object({ notices: z.array(Notice) }),
  status: 200,
  errors: [],
});

/** Lists the account's undismissed notices and the caller's own, newest first, at most 100. */
export async function listNotices(ctx: Context): Promise<{ notices: Notice[] }> {
  const rows = await prisma().accountNotice.findMany({
    where: {
      accountId: ctx.account.id,
      dismissedAt: null,
      OR: [{ userId: null }, { userId: actorId(ctx.actor) }],
    },
    select: noticeSelect,
    orderBy: { id: "desc" },
    take: MAX_SHOWN,
  });
  return { notices: rows.map(toNotice) };
}
