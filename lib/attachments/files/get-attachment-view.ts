import "server-only";
import { z } from "zod";
import {
  ATTACHMENT_VIEW_COLUMNS,
  ATTACHMENT_VIEW_NAMES,
  AttachmentView,
  type AttachmentViewRow,
  DELETED_COLUMNS,
  FILE_COLUMNS,
  FIRST_MESSAGE,
  toAttachmentView,
} from "@/lib/attachments/attachment-view";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { isLost, LOST_FILE } from "@/lib/attachments/store/is-lost";
import { settleUpload } from "@/lib/attachments/store/settle-upload";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { ApiError, fail } from "@/lib/platform/errors/errors";

const USES_SHOWN = 20;
/** A file that the store lost: its bytes are missing again. */
const LOST = { status: "pending", fault: LOST_FILE, url: null, preview: null } as const;

const Use = z.object({
  message_id: z.uuid(),
  chat_id: z.uuid(),
  is_from_me: z.boolean(),
  /** The chat's name, or its participants. */
  chat: z.string().nullable(),
  created_at: z.iso.datetime(),
});

export const GetAttachmentView = contract({
  summary: "Get an attachment with the messages that contain it",
  tag: "Attachments",
  right: "view_chats",
  params: z.object({ attachmentId: z.uuid() }),
  returns: z.object({
    attachment: AttachmentView,
    /** Newest first, at most 20. */
    uses: z.array(Use),
  }),
  status: 200,
  errors: ["attachment_not_found", "parameter_invalid"],
  extension: true,
});

/** Returns one file, deleted or not, with the messages that use it. Errors: attachment_not_found. */
export async function getAttachmentView(
  ctx: Context,
  { params }: Pick<Input<typeof GetAttachmentView>, "params">,
) {
  const id = params.attachmentId.toLowerCase();
  await settle(ctx, id);
  const [rows, uses] = await Promise.all([findListed(ctx, id), usesOf(ctx, id)]);
  const [row] = rows;
  if (row === undefined) return fail("attachment_not_found");
  const attachment = toAttachmentView(ctx.account, row);
  const isGone = attachment.status === "complete" && attachment.deleted === null;
  if (isGone && (await isLost({ id, account_id: ctx.account.id })))
    return { attachment: { ...attachment, ...LOST }, uses };
  return { attachment, uses };
}

// A store that receives uploads directly sends no notification, so the upload is checked when the file is viewed.
async function settle(ctx: Context, id: string): Promise<void> {
  try {
    await settleUpload(await findAttachment(ctx.account.id, id));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

const GET_ATTACHMENT_VIEW = statement(
  "get-attachment-view",
  `select ${ATTACHMENT_VIEW_COLUMNS} from (
    select ${FILE_COLUMNS} from attachments t where t.account_id = :accountId and t.id = :id::uuid
    union all
    (select ${DELETED_COLUMNS} from audit_entries e
     where e.account_id = :accountId and e.action = 'attachment.deleted' and e.object_id = :id::text limit 1)
  ) ${ATTACHMENT_VIEW_NAMES} ${FIRST_MESSAGE} limit 1`,
);

function findListed(ctx: Context, id: string): Promise<AttachmentViewRow[]> {
  return sql.run(GET_ATTACHMENT_VIEW, { accountId: ctx.account.id, id });
}

const ATTACHMENT_USES = statement(
  "attachment-uses",
  `select m.id as message_id, m.chat_id, m.is_from_me, coalesce(c.display_name, c.recipient_handle) as chat,
    m.created_at
  from attachment_uses u
  join messages m on m.account_id = u.account_id and m.id = u.message_id
  join chats c on c.account_id = m.account_id and c.id = m.chat_id
  where u.account_id = :accountId and u.attachment_id = :id and m.deleted_at is null order by u.message_id desc limit ${USES_SHOWN}`,
);

async function usesOf(ctx: Context, id: string): Promise<z.infer<typeof Use>[]> {
  const rows = await sql.run(ATTACHMENT_USES, { accountId: ctx.account.id, id });
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
