import "server-only";
import { z } from "zod";
import {
  AttachmentDirection,
  AttachmentViewStatus,
  DIRECTION_SQL,
  familySql,
} from "@/lib/attachments/attachment-view";
import type { Parameters } from "@/lib/events/store/event-conditions";
import { AttachmentFamily, AttachmentTier } from "@/lib/platform/prisma/enums";
import { maxUnits } from "@/lib/platform/text/max-units";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";

/** Filters of the file list. */
export const attachmentConditionFields = {
  family: z.enum(AttachmentFamily).optional(),
  tier: z.enum(AttachmentTier).optional(),
  status: AttachmentViewStatus.optional(),
  direction: AttachmentDirection.optional(),
  /** Phone number of a line. Matches the files sent or received on it. */
  line: PhoneNumber.optional(),
  /** The id of a file or of a message that shows it, or part of a file's name. */
  q: z.string().trim().check(maxUnits(255)).optional(),
};

const AttachmentConditions = z.object(attachmentConditionFields);
export type AttachmentConditions = z.output<typeof AttachmentConditions>;

/** Conditions on existing files `t`, or null when only deleted files match the filter. */
export function fileCondition(
  parameters: Parameters,
  account: string,
  asked: AttachmentConditions,
): string | null {
  const { family, tier, status, direction, line, q } = asked;
  if (status === "deleted") return null;
  const conditions = [`t.account_id = ${account}`];
  if (family !== undefined) conditions.push(`t.family = ${parameters.add(family)}::text::attachment_family`);
  if (tier !== undefined) conditions.push(tierCondition(tier));
  if (status !== undefined) conditions.push(statusCondition(status));
  if (direction !== undefined) conditions.push(directionCondition(direction));
  if (line !== undefined) conditions.push(lineCondition(parameters.add(line)));
  if (q) conditions.push(searched(parameters, q));
  return conditions.join(" and ");
}

/** Conditions on the deletion records `e`, or null when the filter excludes deleted files. */
export function deletedCondition(
  parameters: Parameters,
  account: string,
  asked: AttachmentConditions,
): string | null {
  const { family, tier, status, direction, line, q } = asked;
  if (status !== undefined && status !== "deleted") return null;
  const conditions = [`e.account_id = ${account}`, "e.action = 'attachment.deleted'"];
  if (family !== undefined) {
    conditions.push(`${familySql("e.detail ->> 'content_type'")} = ${parameters.add(family)}`);
  }
  if (tier !== undefined) conditions.push(`e.detail ->> 'tier' = ${parameters.add(tier)}`);
  if (direction !== undefined) conditions.push(`e.detail ->> 'direction' = ${parameters.add(direction)}`);
  if (line !== undefined) {
    conditions.push(`(e.detail ->> 'line_id')::uuid in (
      select l.id from lines l where l.account_id = e.account_id and l.phone_number = ${parameters.add(line)})`);
  }
  if (q) {
    const text = parameters.add(q);
    conditions.push(
      isId(q)
        ? `e.object_id = lower(${text}::text)`
        : `position(lower(${text}) in lower(e.detail ->> 'filename')) > 0`,
    );
  }
  return conditions.join(" and ");
}

// Literals that match the partial indexes exactly: with a parameter, the planner could not use those indexes.
function tierCondition(tier: AttachmentTier): string {
  return tier === "ephemeral" ? "t.tier = 'ephemeral'" : "t.tier = 'persistent'";
}

function statusCondition(status: "pending" | "complete" | "failed"): string {
  return status === "complete"
    ? "t.status = 'complete'"
    : `t.status <> 'complete' and t.status = '${status}'`;
}

function directionCondition(direction: z.infer<typeof AttachmentDirection>): string {
  const bySource = direction === "received" || direction === "image";
  return bySource ? `t.source = '${direction}'` : `${DIRECTION_SQL} = '${direction}'`;
}

function lineCondition(number: string): string {
  return `exists (
    select 1 from lines l where l.account_id = t.account_id and l.phone_number = ${number} and (l.id = t.line_id or exists (
      select 1 from attachment_uses u join messages m on m.account_id = u.account_id and m.id = u.message_id
      where u.account_id = t.account_id and u.attachment_id = t.id and m.line_id = l.id)))`;
}

function searched(parameters: Parameters, q: string): string {
  const text = parameters.add(q);
  if (!isId(q)) return `position(lower(${text}) in lower(t.filename)) > 0`;
  return `(t.id = ${text}::uuid or t.id in (
    select u.attachment_id from attachment_uses u where u.account_id = t.account_id and u.message_id = ${text}::uuid))`;
}

function isId(q: string): boolean {
  return z.uuid().safeParse(q).success;
}
