import "server-only";
import { z } from "zod";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import { recordAudit } from "@/lib/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors";

export const DeleteAttachment = contract({
  summary: "Delete an attachment and its file",
  tag: "Attachments",
  params: z.object({ attachmentId: z.uuid() }),
  status: 204,
  errors: ["attachment_not_found", "parameter_invalid"],
});

/**
 * Removes a file for good; its addresses are 404 from now on, messages keep its name and size. On record. Errors:
 * attachment_not_found.
 */
export async function deleteAttachment(
  ctx: Context,
  { params }: Input<typeof DeleteAttachment>,
): Promise<undefined> {
  const { id, account_id, filename, content_type } = await findAttachment(
    ctx.account.id,
    params.attachmentId,
  );
  const removed = await removeAttachment({ accountId: account_id, attachmentId: id }, (tx) =>
    recordAudit(tx, ctx, "attachment.deleted", "attachment", id, { filename, content_type }),
  );
  if (!removed) fail("attachment_not_found");
}
