import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import type { AccountRef } from "@/lib/platform/context";
import { transaction } from "@/lib/platform/database/db";
import type { AttachmentTier } from "@/lib/platform/prisma/enums";
import { now } from "@/lib/platform/time/clock";

/** The scope of a tier: a whole account, or one line by its number. */
interface TierPlace {
  account: AccountRef;
  phoneNumber?: string | undefined;
}

/**
 * Sets the tier of future files and records the change in the audit log. null makes a line use its account's tier.
 * Stored files keep their tier. Throws when the account has no such line, and for a null tier of an account.
 */
export async function setAttachmentTier(
  { account, phoneNumber }: TierPlace,
  tier: AttachmentTier | null,
): Promise<void> {
  await transaction(async (tx) => {
    const rows =
      phoneNumber === undefined
        ? await tx.query<{ id: string }>({
            text: "update accounts set attachment_tier = $2::text::attachment_tier where id = $1 returning id",
            values: [account.id, tier],
          })
        : await tx.query<{ id: string }>({
            text: `update lines set attachment_tier = $2::text::attachment_tier
                   where account_id = $1 and phone_number = $3 and released_at is null returning id`,
            values: [account.id, tier, phoneNumber],
          });
    const [changed] = rows;
    if (changed === undefined) throw new Error(`the account has no line ${phoneNumber}`);
    const auditScope = { partnerId: account.partnerId, accountId: account.id, at: now() };
    const object = phoneNumber === undefined ? "account" : "line";
    await recordSystemAudit(tx, auditScope, "attachment_tier.set", object, changed.id, { tier });
  });
}
