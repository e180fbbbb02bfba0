import "server-only";
import { getLineDetails } from "@/lib/lines/overview/get-line-details";
import { requireAccount, requireSession } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

/** Loads the data that every page of a line shows, or shows the "not found" page. */
export async function readLinePage(lineId: string) {
  const { account, ctx, may } = await requireAccount("view_lines");
  const { accounts } = await requireSession();
  const others = accounts.filter(
    ({ id, partner, archivedAt }) =>
      id !== account.id && partner.id === account.partner.id && archivedAt === null,
  );
  const shown = {
    initial: await findOrNotFound(lineId, () => getLineDetails(ctx, { params: { lineId } })),
    mayManage: may("manage_lines"),
    mayFlag: may("flag_lines"),
    mayRelease: may("release_lines"),
    moveTargets: may("assign_lines") ? others.map(({ id, name, type }) => ({ id, name, type })) : [],
    mayConnect: may("connect_lines"),
  };
  return { ctx, shown };
}
