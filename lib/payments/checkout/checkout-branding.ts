import "server-only";
import { addressOf } from "@/lib/attachments/attachment";
import { downloadUrl } from "@/lib/attachments/attachment-url";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { ApiError } from "@/lib/platform/errors/errors";

export interface CheckoutBranding {
  slug: string;
  name: string;
  color: string | null;
  logoUrl: string | null;
  isSandbox: boolean;
}

const CHECKOUT_BRANDING = statement(
  "checkout-branding",
  `select b.slug, b.name, b.color, b.logo_url as "logoUrl", b.logo_attachment_id as "logoAttachmentId",
    a.type = 'sandbox' as "isSandbox"
  from checkout_brandings b join accounts a on a.id = b.account_id where b.account_id = :accountId`,
);

/** Returns the account's branding, or null when it has none yet. */
export async function findBranding(accountId: string): Promise<CheckoutBranding | null> {
  const [row] = await sql.run(CHECKOUT_BRANDING, { accountId });
  if (row === undefined) return null;
  const { logoAttachmentId, ...branding } = row;
  if (logoAttachmentId === null) return branding;
  return { ...branding, logoUrl: await attachmentUrl(accountId, logoAttachmentId) };
}

// A missing logo must not prevent the page from loading.
async function attachmentUrl(accountId: string, attachmentId: string): Promise<string | null> {
  try {
    return downloadUrl(addressOf(await findAttachment(accountId, attachmentId)));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
