import "server-only";
import { ATTACHMENT_COLUMNS, type AttachmentRow, EPHEMERAL_HOURS } from "@/lib/attachments/attachment";
import { familySql } from "@/lib/attachments/attachment-view";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import type { AttachmentSource, AttachmentStatus } from "@/lib/platform/prisma/enums";

/** A stored file and the id for its row. */
export interface NewFile {
  id: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
}

interface NewAttachments {
  accountId: string;
  /**
   * The line that sends or receives the files. Its tier takes precedence over the account's; for outbound files, only
   * when it is stricter.
   */
  lineId: string | null;
  /**
   * An image that Trunkline stores for its own use never expires, regardless of the tier of the line and the account.
   */
  source: AttachmentSource;
  status: AttachmentStatus;
  at: Date;
  files: readonly NewFile[];
}

/** Files that an account stores itself count toward its quota. Files it receives are never rejected. */
const LIMITED: ReadonlySet<AttachmentSource> = new Set(["upload", "url"]);

const INSERT_ATTACHMENTS = statement(
  "insert-attachments",
  `with t as (
    insert into attachments
      (account_id, id, filename, content_type, size_bytes, status, tier, created_at, expires_at, source, line_id,
       family)
    select :accountId, f.id, f.filename, f.content_type, f.size_bytes, :status::text::attachment_status,
      kept.tier, :at,
      case when kept.tier = 'ephemeral' then :at::timestamptz + interval '${EPHEMERAL_HOURS} hours' end,
      :source::text::attachment_source, :lineId,
      (${familySql("f.content_type")})::attachment_family
    from unnest(:fileIds::uuid[], :filenames::text[], :contentTypes::text[], :sizeBytes::bigint[])
      as f(id, filename, content_type, size_bytes)
    cross join (
      select case
          when :source::text = 'image' then 'persistent'
          when :source::text = 'url' and 'ephemeral' in (l.attachment_tier, a.attachment_tier) then 'ephemeral'
          else coalesce(l.attachment_tier, a.attachment_tier)
        end as tier
      from accounts a left join lines l on l.account_id = a.id and l.id = :lineId
      where a.id = :accountId and (not :isLimited::boolean or has_storage_room(:accountId, :addedBytes::bigint,
        nullif(coalesce(a.storage_mb, :storagePerAccountMb::int), 0)::bigint * 1048576, :at))
    ) kept
    returning *
  )
  select ${ATTACHMENT_COLUMNS} from t join accounts a on a.id = t.account_id`,
);

/**
 * Stores the rows of files in the tier of their line or account, and returns them in the order of the files. Rejects
 * uploads and downloads of an account at its storage quota, also concurrent ones. Errors: state_conflict.
 */
export async function insertAttachments(on: Sql, attachments: NewAttachments): Promise<AttachmentRow[]> {
  const { accountId, lineId, source, status, at, files } = attachments;
  const rows = await on.run(INSERT_ATTACHMENTS, {
    accountId,
    lineId,
    status,
    at,
    fileIds: files.map(({ id }) => id),
    filenames: files.map(({ filename }) => filename),
    contentTypes: files.map(({ contentType }) => contentType),
    sizeBytes: files.map(({ sizeBytes }) => sizeBytes),
    source,
    isLimited: LIMITED.has(source),
    addedBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    storagePerAccountMb: env().STORAGE_PER_ACCOUNT_MB,
  });
  if (rows.length === 0 && files.length > 0 && LIMITED.has(source)) {
    fail(
      "state_conflict",
      "the file would exceed the account's storage quota: delete files or ask your operator for a higher quota",
    );
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  return files.flatMap(({ id }) => byId.get(id) ?? []);
}
