import "server-only";
import { cache } from "react";
import { getLineView } from "@/lib/lines/overview/get-line-view";
import { groupedNumber } from "@/lib/platform/text/phone-formats";
import { requireAccount, requireSession } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

/** Loads the data that every page of a line shows, once per request, or shows the "not found" page. */
export const readLinePage = cache(async (lineId: string) => {
  const { account, ctx, may } = await requireAccount("view_lines");
  const { accounts } = await requireSession();
  const others = accounts.filter(
    ({ id, partner, archivedAt }) =>
      id !== account.id && partner.id === account.partner.id && archivedAt === null,
  );
  const shown = {
    initial: await findOrNotFound(lineId, () => getLineView(ctx, { params: { lineId } })),
    mayManage: may("manage_lines"),
    mayFlag: may("flag_lines"),
    mayRelease: may("release_lines"),
    moveTargets: may("assign_lines") ? others.map(({ id, name, type }) => ({ id, name, type })) : [],
    mayConnect: may("connect_lines"),
  };
  return { ctx, shown };
});

type LinePageProps = { params: Promise<{ lineId: string }> };

/** Returns the function that names a page of a line, for the browser's title. */
export function lineTitle(page: string) {
  return async ({ params }: LinePageProps) => {
    const { initial } = (await readLinePage((await params).lineId)).shown;
    return { title: `${initial.label ?? groupedNumber(initial.phone_number)} · ${page}` };
  };
}
