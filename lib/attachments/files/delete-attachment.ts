import "server-only";
import { AttachmentParams, type AttachmentRow } from "@/lib/attachments/attachment";
import { DIRECTION_SQL } from "@/lib/attachments/attachment-view";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const DeleteAttachment = contract({
  summary: "Delete an attachment and its file",
  description:
    "Permanently deletes an attachment and its file. Messages that contain the attachment remain, without a reference to the file. Existing URLs of the file return 404.",
  tag: "Attachments",
  right: "manage_attachments",
  params: AttachmentParams,
  status: 204,
  errors: ["attachment_not_found", "parameter_invalid"],
});

/**
 * Deletes a file permanently. Its URLs return 404 from now on, and messages keep its name and size. Recorded in the
 * audit log. Errors: attachment_not_found.
 */
export async function deleteAttachment(
  ctx: Context,
  { params }: Input<typeof DeleteAttachment>,
): Promise<undefined> {
  const file = await findAttachment(ctx.account.id, params.attachmentId);
  const detail = await recordOf(file);
  const removed = await removeAttachment({ accountId: file.account_id, attachmentId: file.id }, (tx) =>
    recordAudit(tx, ctx, "attachment.deleted", "attachment", file.id, detail),
  );
  if (!removed) fail("attachment_not_found");
}

const DESCRIBE_ATTACHMENT = statement(
  "describe-attachment",
  `select ${DIRECTION_SQL} as direction, coalesce(t.line_id, (
      select m.line_id from attachment_uses u
      join messages m on m.account_id = u.account_id and m.id = u.message_id
      where u.account_id = t.account_id and u.attachment_id = t.id order by u.message_id limit 1)) as line_id,
    (t.tier = 'ephemeral' or a.retention_minutes is not null) as forgets
  from attachments t join accounts a on a.id = t.account_id where t.account_id = :accountId and t.id = :fileId`,
);

/**
 * The details of a deleted file that remain for lists of files. A file name can contain personal content, so only its
 * extension is kept for ephemeral files and in accounts with a retention limit (docs/contract.md, section 2.4).
 */
async function recordOf(file: AttachmentRow): Promise<Record<string, unknown>> {
  const { content_type, tier, created_at } = file;
  const [row] = await sql.run(DESCRIBE_ATTACHMENT, { accountId: file.account_id, fileId: file.id });
  const { direction = null, line_id = null, forgets = true } = row ?? {};
  const filename = forgets ? file.filename.replace(/^.*?(\.[A-Za-z0-9]{1,7})?$/s, "file$1") : file.filename;
  return {
    filename,
    content_type,
    size_bytes: Number(file.size_bytes),
    tier,
    created_at,
    direction,
    line_id,
  };
}
