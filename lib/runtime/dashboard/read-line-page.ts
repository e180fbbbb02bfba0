import "server-only";
import { getLineDetails } from "@/lib/lines/lines/get-line-details";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

/** Loads the data that every page of a line shows, or shows the "not found" page. */
export async function readLinePage(lineId: string) {
  const { ctx, may } = await requireAccount("view_lines");
  const shown = {
    initial: await findOrNotFound(lineId, () => getLineDetails(ctx, { params: { lineId } })),
    mayManage: may("manage_lines"),
    mayFlag: may("flag_lines"),
  };
  return { ctx, shown };
}
