import "server-only";
import { ATTACHMENT_COLUMNS, type AttachmentRow, EPHEMERAL_HOURS } from "@/lib/attachments/attachment";
import { familySql } from "@/lib/attachments/listed-attachment";
import type { Sql } from "@/lib/platform/database/db";
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

/**
 * Stores the rows of files in the tier of their line or account, and returns them in the order of the files. Rejects
 * uploads and downloads of an account at its storage quota, also concurrent ones. Errors: state_conflict.
 */
export async function insertAttachments(on: Sql, attachments: NewAttachments): Promise<AttachmentRow[]> {
  const { accountId, lineId, source, status, at, files } = attachments;
  const rows = await on.query<AttachmentRow>({
    name: "insert-attachments",
    text: `with t as (
             insert into attachments
               (account_id, id, filename, content_type, size_bytes, status, tier, created_at, expires_at, source, line_id,
                family)
             select $1, f.id, f.filename, f.content_type, f.size_bytes, $3::text::attachment_status, kept.tier, $4,
               case when kept.tier = 'ephemeral' then $4::timestamptz + interval '${EPHEMERAL_HOURS} hours' end,
               $9::text::attachment_source, $2,
               (${familySql("f.content_type")})::attachment_family
             from unnest($5::uuid[], $6::text[], $7::text[], $8::bigint[]) as f(id, filename, content_type, size_bytes)
             cross join (
               select case
                   when $9::text = 'image' then 'persistent'
                   when $9::text = 'url' and 'ephemeral' in (l.attachment_tier, a.attachment_tier) then 'ephemeral'
                   else coalesce(l.attachment_tier, a.attachment_tier)
                 end as tier
               from accounts a left join lines l on l.account_id = a.id and l.id = $2
               where a.id = $1 and (not $10::boolean or has_storage_room($1, $11::bigint,
                 nullif(coalesce(a.storage_mb, $12::int), 0)::bigint * 1048576, $4))
             ) kept
             returning *
           )
           select ${ATTACHMENT_COLUMNS} from t join accounts a on a.id = t.account_id`,
    values: [
      accountId,
      lineId,
      status,
      at,
      files.map(({ id }) => id),
      files.map(({ filename }) => filename),
      files.map(({ contentType }) => contentType),
      files.map(({ sizeBytes }) => sizeBytes),
      source,
      LIMITED.has(source),
      files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      env().STORAGE_PER_ACCOUNT_MB,
    ],
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
