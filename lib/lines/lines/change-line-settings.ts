import "server-only";
import { z } from "zod";
import { changedFields } from "@/lib/identity/audit/changed-fields";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import { Line, toLine } from "@/lib/lines/lines/line";
import { SetForwardingNumber, setForwardingNumber } from "@/lib/lines/lines/set-forwarding-number";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma, transaction } from "@/lib/platform/database/db";
import type { AttachmentTier } from "@/lib/platform/prisma/enums";

export const ChangeLineSettings = contract({
  summary: "Update a phone line's settings",
  tag: "Phone lines",
  right: "manage_lines",
  params: z.object({ lineId: z.uuid() }),
  body: z.object({
    forwarding_number: SetForwardingNumber.body.shape.forwarding_number.optional(),
    /** When false, requests that need RCS on the line fail with 4004. */
    rcs: z.boolean().optional(),
    /** null = the account's tier. */
    attachment_tier: z.enum(["persistent", "ephemeral"]).nullish(),
  }),
  returns: Line,
  status: 200,
  errors: ["phone_not_e164", "parameter_invalid", "access_denied", "line_not_found"],
  extension: true,
});

/**
 * Changes the given settings and records them in the audit log. Errors: access_denied, line_not_found,
 * parameter_invalid.
 */
export async function changeLineSettings(ctx: Context, { params, body }: Input<typeof ChangeLineSettings>) {
  const { lineId } = params;
  const { forwarding_number, rcs, attachment_tier } = body;

  if (forwarding_number !== undefined) {
    const input = { params: { phoneNumber: lineId }, query: undefined, body: { forwarding_number } };
    await setForwardingNumber(ctx, input);
  }
  if (rcs !== undefined || attachment_tier !== undefined) await change(ctx, lineId, { rcs, attachment_tier });

  const line = await prisma().line.findUnique({
    where: { accountId_id: { accountId: ctx.account.id, id: lineId }, releasedAt: null },
  });
  return line === null ? throwNotFoundOrDenied(ctx, lineId) : toLine(line);
}

interface Settings {
  rcs: boolean;
  attachment_tier: AttachmentTier | null;
}

type Change = { [Name in keyof Settings]: Settings[Name] | undefined };

async function change(ctx: Context, lineId: string, { rcs, attachment_tier }: Change): Promise<void> {
  const changed = await transaction(async (tx) => {
    const [before] = await tx.query<Settings>({
      text: `select rcs, attachment_tier::text as attachment_tier from lines
             where account_id = $1 and id = $2 and released_at is null for no key update`,
      values: [ctx.account.id, lineId],
    });
    if (before === undefined) return false;
    const after = {
      rcs: rcs ?? before.rcs,
      attachment_tier: attachment_tier === undefined ? before.attachment_tier : attachment_tier,
    };
    await tx.query({
      text: "update lines set rcs = $3, attachment_tier = $4::text::attachment_tier where account_id = $1 and id = $2",
      values: [ctx.account.id, lineId, after.rcs, after.attachment_tier],
    });
    const detail = changedFields({ ...before }, after);
    await recordAudit(tx, ctx, "line.settings_changed", "line", lineId, detail);
    return true;
  });
  if (!changed) await throwNotFoundOrDenied(ctx, lineId);
}
