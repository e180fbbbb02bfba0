import "server-only";
import { ATTACHMENT_COLUMNS, type AttachmentRow } from "@/lib/attachments/attachment";
import { sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

/** Finds an attachment of the account. Errors: attachment_not_found, also for attachments of other accounts. */
export async function findAttachment(accountId: string, attachmentId: string): Promise<AttachmentRow> {
  const [row] = await sql.query<AttachmentRow>({
    name: "find-attachment",
    text: `select ${ATTACHMENT_COLUMNS} from attachments t join accounts a on a.id = t.account_id
           where t.account_id = $1 and t.id = $2`,
    values: [accountId, attachmentId],
  });
  return row ?? fail("attachment_not_found");
}
