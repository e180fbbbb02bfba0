import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const RemoveAppClip = contract({
  summary: "Remove a registered app clip",
  tag: "Account",
  right: "manage_account",
  params: z.object({ appClipId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "name_unknown"],
});

const REMOVE_APP_CLIP = plannedStatement(
  "remove-app-clip",
  "delete from app_clips where account_id = :accountId and id = :appClipId returning name, url_prefix",
);

/** Removes a prefix that `registerAppClip` registered. Messages already sent are not affected. Errors: name_unknown. */
export async function removeAppClip(
  ctx: Context,
  { params }: Pick<Input<typeof RemoveAppClip>, "params">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const [removed] = await tx.run(REMOVE_APP_CLIP, {
      accountId: ctx.account.id,
      appClipId: params.appClipId,
    });
    if (removed === undefined) fail("name_unknown", "the account has no app clip with this ID");
    await recordAudit(tx, ctx, "app_clip.removed", "app_clip", params.appClipId, removed);
    tx.wake("accounts");
  });
}
