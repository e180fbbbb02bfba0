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
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_LABEL = 60;

/** One line of text without control characters, because it stands beside a number everywhere. */
const LineLabel = z
  .string()
  .trim()
  .min(1)
  .check(maxUnits(MAX_LABEL))
  .regex(/^\P{Cc}*$/u, "must not contain control characters");

export const ChangeLineSettings = contract({
  summary: "Update a phone line's settings",
  tag: "Phone lines",
  right: "manage_lines",
  params: z.object({ lineId: z.uuid() }),
  body: z.object({
    /** The name of the line for the account's people; null removes it. */
    label: LineLabel.nullish(),
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
  const { forwarding_number, ...settings } = body;

  if (forwarding_number !== undefined) {
    const input = { params: { phoneNumber: lineId }, query: undefined, body: { forwarding_number } };
    await setForwardingNumber(ctx, input);
  }
  if (Object.values(settings).some((value) => value !== undefined)) await change(ctx, lineId, settings);

  const line = await prisma().line.findUnique({
    where: { accountId_id: { accountId: ctx.account.id, id: lineId }, releasedAt: null },
  });
  return line === null ? throwNotFoundOrDenied(ctx, lineId) : toLine(line);
}

type Settings = RowOf<"lock-line-settings">;

type Change = { [Name in keyof Settings]?: Settings[Name] | undefined };

const LOCK_LINE_SETTINGS = plannedStatement(
  "lock-line-settings",
  `select label, rcs, attachment_tier from lines
  where account_id = :accountId and id = :lineId and released_at is null for no key update`,
);

const UPDATE_LINE_SETTINGS = plannedStatement(
  "update-line-settings",
  `update lines set label = :label, rcs = :rcs, attachment_tier = :attachmentTier::text::attachment_tier
  where account_id = :accountId and id = :lineId`,
);

async function change(ctx: Context, lineId: string, given: Change): Promise<void> {
  const changed = await transaction(async (tx) => {
    const [before] = await tx.run(LOCK_LINE_SETTINGS, { accountId: ctx.account.id, lineId });
    if (before === undefined) return false;
    const after = {
      label: given.label === undefined ? before.label : given.label,
      rcs: given.rcs ?? before.rcs,
      attachment_tier: given.attachment_tier === undefined ? before.attachment_tier : given.attachment_tier,
    };
    await tx.run(UPDATE_LINE_SETTINGS, {
      accountId: ctx.account.id,
      lineId,
      label: after.label,
      rcs: after.rcs,
      attachmentTier: after.attachment_tier,
    });
    const detail = changedFields({ ...before }, after);
    await recordAudit(tx, ctx, "line.settings_changed", "line", lineId, detail);
    return true;
  });
  if (!changed) await throwNotFoundOrDenied(ctx, lineId);
}
