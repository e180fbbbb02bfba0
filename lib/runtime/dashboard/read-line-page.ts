import "server-only";
import { notFound } from "next/navigation";
import { z } from "zod";
import { getLineDetails } from "@/lib/lines/lines/get-line-details";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

/** What every page of one line shows. Ends in the page for what is not there. */
export async function readLinePage(lineId: string) {
  const { ctx, may } = await requireAccount("view_lines");
  const shown = {
    initial: await findLine(ctx, lineId),
    mayManage: may("manage_lines"),
    mayFlag: may("flag_lines"),
  };
  return { ctx, shown };
}

async function findLine(ctx: Context, lineId: string) {
  if (!z.uuid().safeParse(lineId).success) notFound();
  return getLineDetails(ctx, { params: { lineId } }).catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
}
