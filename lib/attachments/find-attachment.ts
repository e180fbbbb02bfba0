import "server-only";
import { ATTACHMENT_COLUMNS, type AttachmentRow } from "@/lib/attachments/attachment";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const FIND_ATTACHMENT = statement(
  "find-attachment",
  `select ${ATTACHMENT_COLUMNS} from attachments t join accounts a on a.id = t.account_id
  where t.account_id = :accountId and t.id = :attachmentId`,
);

/** Finds an attachment of the account. Errors: attachment_not_found, also for attachments of other accounts. */
export async function findAttachment(accountId: string, attachmentId: string): Promise<AttachmentRow> {
  const [row] = await sql.run(FIND_ATTACHMENT, { accountId, attachmentId });
  return row ?? fail("attachment_not_found");
}
