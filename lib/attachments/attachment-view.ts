import "server-only";
import { z } from "zod";
import { addressOf } from "@/lib/attachments/attachment";
import { downloadUrl } from "@/lib/attachments/attachment-url";
import { previewOf } from "@/lib/attachments/file-types/preview-kinds";
import { actorSql, NamedActor } from "@/lib/identity/audit/actor-sql";
import type { AccountRef } from "@/lib/platform/context";
import type { RowOf } from "@/lib/platform/database/statement";
import { AttachmentFamily, AttachmentTier } from "@/lib/platform/prisma/enums";

export const AttachmentDirection = z.enum(["received", "sent", "uploaded", "image"]);
export const AttachmentViewStatus = z.enum(["pending", "complete", "failed", "deleted"]);

/** A file in the dashboard's list. Of a deleted file, only the record of the deletion remains. */
export const AttachmentView = z.object({
  id: z.uuid(),
  filename: z.string(),
  content_type: z.string(),
  family: z.enum(AttachmentFamily),
  /** null when an old deletion record lacks the size. */
  size_bytes: z.int().nullable(),
  status: AttachmentViewStatus,
  /** The reason the upload failed or the file is delivered unconverted. */
  fault: z.string().nullable(),
  tier: z.enum(AttachmentTier).nullable(),
  /** When the file expires; null = kept until a user deletes it. */
  expires_at: z.iso.datetime().nullable(),
  /**
   * sent: an outbound message shows it; uploaded: no message shows it yet; image: a card, a group or the checkout shows
   * it.
   */
  direction: AttachmentDirection.nullable(),
  /** The number of the line that received the file, or that sent it first. */
  line: z.string().nullable(),
  /** The first message that shows it. */
  message: z.object({ id: z.uuid(), chat_id: z.uuid(), is_from_me: z.boolean() }).nullable(),
  created_at: z.iso.datetime(),
  deleted: z.object({ at: z.iso.datetime(), by: NamedActor }).nullable(),
  /** A permanent URL, or one signed for 15 minutes; null while the bytes are missing. */
  url: z.url().nullable(),
  /**
   * The types of preview at /api/attachments/{id}/preview. A preview is missing when the server lacks the required
   * program.
   */
  preview: z.enum(["image", "audio"]).nullable(),
});

export type AttachmentView = z.infer<typeof AttachmentView>;

export type AttachmentViewRow = RowOf<"get-attachment-view">;

/** SQL: the direction of a file `t`. */
export const DIRECTION_SQL = `case
  when t.source = 'received' then 'received'
  when t.source = 'image' then 'image'
  when exists (select 1 from attachment_uses u where u.account_id = t.account_id and u.attachment_id = t.id) then 'sent'
  else 'uploaded' end`;

/** The columns of an existing file `t`: a AttachmentViewRow without its message. */
export const FILE_COLUMNS = `t.account_id, t.id, t.filename, t.content_type, t.family::text as family, t.size_bytes,
  t.status::text as status, t.fault, t.tier::text as tier, t.expires_at, ${DIRECTION_SQL} as direction, t.line_id,
  t.created_at, null::timestamptz as deleted_at, null::jsonb as deleted_by`;

/** The same columns for a deletion record `e`. Values that old records lack are null. */
export const DELETED_COLUMNS = `e.account_id, e.object_id::uuid, e.detail ->> 'filename', e.detail ->> 'content_type',
  ${familySql("e.detail ->> 'content_type'")}, (e.detail ->> 'size_bytes')::bigint, 'deleted', null,
  e.detail ->> 'tier', null::timestamptz, e.detail ->> 'direction', (e.detail ->> 'line_id')::uuid,
  coalesce((e.detail ->> 'created_at')::timestamptz, e.created_at), e.created_at,
  ${actorSql("e.actor_type", "e.actor_id", "e.account_id")}`;

/** The names of both column lists. */
export const ATTACHMENT_VIEW_NAMES = `f(account_id, id, filename, content_type, family, size_bytes, status, fault, tier, expires_at,
  direction, line_id, created_at, deleted_at, deleted_by)`;

/** SQL: the family of a content type. */
export function familySql(contentType: string): string {
  return `case when split_part(${contentType}, '/', 1) in ('image', 'video', 'audio')
    then split_part(${contentType}, '/', 1) else 'document' end`;
}

/** The columns of a AttachmentViewRow for each file `f`. */
export const ATTACHMENT_VIEW_COLUMNS = `f.id, f.filename as "filename!", f.content_type as "content_type!",
  f.family as "family!: AttachmentFamily", f.size_bytes, f.status as "status: 'pending' | 'complete' | 'failed' | 'deleted'", f.fault,
  f.tier as "tier: AttachmentTier", f.expires_at, f.direction as "direction: 'received' | 'sent' | 'uploaded' | 'image'", f.created_at, f.deleted_at,
  f.deleted_by as "deleted_by: ActorName",
  (select l.phone_number from lines l where l.account_id = f.account_id and l.id = coalesce(f.line_id, m.line_id)) as line,
  case when m.id is not null then
    jsonb_build_object('id', m.id, 'chat_id', m.chat_id, 'is_from_me', m.is_from_me) end as "message: { id: string; chat_id: string; is_from_me: boolean }"`;

export const FIRST_MESSAGE = `left join lateral (
    select m.id, m.chat_id, m.is_from_me, m.line_id from attachment_uses u
    join messages m on m.account_id = u.account_id and m.id = u.message_id
    where u.account_id = f.account_id and u.attachment_id = f.id and m.deleted_at is null
    order by u.message_id limit 1
  ) m on true`;

export function toAttachmentView(account: AccountRef, row: AttachmentViewRow): AttachmentView {
  const { deleted_at, deleted_by, size_bytes, created_at, expires_at, ...same } = row;
  const address = addressOf({
    id: row.id,
    partner_id: account.partnerId,
    filename: row.filename,
    tier: row.tier ?? "persistent",
  });
  return {
    ...same,
    size_bytes: size_bytes === null ? null : Number(size_bytes),
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    deleted: deleted_at === null ? null : { at: deleted_at.toISOString(), by: deleted_by },
    url: row.status === "complete" ? downloadUrl(address) : null,
    preview: row.status === "complete" ? previewOf(row.content_type) : null,
  };
}
