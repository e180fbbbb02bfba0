import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import type { AccountRef } from "@/lib/platform/context";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import type { AttachmentTier } from "@/lib/platform/prisma/enums";
import { now } from "@/lib/platform/time/clock";

/** The scope of a tier: a whole account, or one line by its number. */
interface TierPlace {
  account: AccountRef;
  phoneNumber?: string | undefined;
}

const SET_ACCOUNT_ATTACHMENT_TIER = plannedStatement(
  "set-account-attachment-tier",
  "update accounts set attachment_tier = :tier::text::attachment_tier where id = :accountId returning id",
);

const SET_LINE_ATTACHMENT_TIER = plannedStatement(
  "set-line-attachment-tier",
  `update lines set attachment_tier = :tier::text::attachment_tier
  where account_id = :accountId and phone_number = :phoneNumber and released_at is null returning id`,
);

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
        ? await tx.run(SET_ACCOUNT_ATTACHMENT_TIER, { accountId: account.id, tier })
        : await tx.run(SET_LINE_ATTACHMENT_TIER, { accountId: account.id, tier, phoneNumber });
    const [changed] = rows;
    if (changed === undefined) throw new Error(`the account has no line ${phoneNumber}`);
    const auditScope = { partnerId: account.partnerId, accountId: account.id, at: now() };
    const object = phoneNumber === undefined ? "account" : "line";
    await recordSystemAudit(tx, auditScope, "attachment_tier.set", object, changed.id, { tier });
  });
}
