import "server-only";
import { z } from "zod";
import { findAttachment } from "@/lib/attachments/find-attachment";
import {
  DELETED_COLUMNS,
  FILE_COLUMNS,
  FIRST_MESSAGE,
  LISTED_COLUMNS,
  LISTED_NAMES,
  ListedAttachment,
  type ListedRow,
  toListedAttachment,
} from "@/lib/attachments/listed-attachment";
import { isLost, LOST_FILE } from "@/lib/attachments/store/is-lost";
import { settleUpload } from "@/lib/attachments/store/settle-upload";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
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

export const ShowAttachment = contract({
  summary: "Get an attachment with the messages that contain it",
  tag: "Attachments",
  right: "view_chats",
  params: z.object({ attachmentId: z.uuid() }),
  returns: z.object({
    attachment: ListedAttachment,
    /** Newest first, at most 20. */
    uses: z.array(Use),
  }),
  status: 200,
  errors: ["attachment_not_found", "parameter_invalid"],
  extension: true,
});

/** Returns one file, deleted or not, with the messages that use it. Errors: attachment_not_found. */
export async function showAttachment(ctx: Context, { params }: Pick<Input<typeof ShowAttachment>, "params">) {
  const id = params.attachmentId.toLowerCase();
  await settle(ctx, id);
  const [rows, uses] = await Promise.all([findListed(ctx, id), usesOf(ctx, id)]);
  const [row] = rows;
  if (row === undefined) return fail("attachment_not_found");
  const attachment = toListedAttachment(ctx.account, row);
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

function findListed(ctx: Context, id: string): Promise<ListedRow[]> {
  return sql.query<ListedRow>({
    name: "show-attachment",
    text: `select ${LISTED_COLUMNS} from (
             select ${FILE_COLUMNS} from attachments t where t.account_id = $1 and t.id = $2::uuid
             union all
             (select ${DELETED_COLUMNS} from audit_entries e
              where e.account_id = $1 and e.action = 'attachment.deleted' and e.object_id = $3 limit 1)
           ) ${LISTED_NAMES} ${FIRST_MESSAGE} limit 1`,
    values: [ctx.account.id, id, id],
  });
}

async function usesOf(ctx: Context, id: string): Promise<z.infer<typeof Use>[]> {
  const rows = await sql.query<Omit<z.infer<typeof Use>, "created_at"> & { created_at: Date }>({
    name: "attachment-uses",
    text: `select m.id as message_id, m.chat_id, m.is_from_me, coalesce(c.display_name, c.recipient_handle) as chat,
             m.created_at
           from attachment_uses u
           join messages m on m.account_id = u.account_id and m.id = u.message_id
           join chats c on c.account_id = m.account_id and c.id = m.chat_id
           where u.account_id = $1 and u.attachment_id = $2 and m.deleted_at is null order by u.message_id desc limit ${USES_SHOWN}`,
    values: [ctx.account.id, id],
  });
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
