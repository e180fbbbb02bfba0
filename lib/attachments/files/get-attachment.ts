import "server-only";
import { Attachment, AttachmentParams, toAttachment } from "@/lib/attachments/attachment";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { isLost } from "@/lib/attachments/store/is-lost";
import { settleUpload } from "@/lib/attachments/store/settle-upload";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";

export const GetAttachment = contract({
  summary: "Get an attachment",
  description:
    "Returns an attachment. On the ephemeral tier, each request returns a new `download_url` that is valid for 15 minutes.",
  tag: "Attachments",
  right: "view_chats",
  params: AttachmentParams,
  returns: Attachment,
  status: 200,
  errors: ["attachment_not_found", "parameter_invalid", "download_failed"],
});

/** Returns an attachment of the account, `pending` while its bytes are missing, also when they are lost. Errors: as `GetAttachment`. */
export async function getAttachment(ctx: Context, { params }: Input<typeof GetAttachment>) {
  const attachment = await findAttachment(ctx.account.id, params.attachmentId);
  const status = await settleUpload(attachment);
  if (status === "gone") fail("attachment_not_found");
  const isMissing = status === "complete" && (await isLost(attachment));
  return toAttachment({ ...attachment, status: isMissing ? "pending" : status });
}
