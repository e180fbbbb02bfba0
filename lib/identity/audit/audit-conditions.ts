import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { firstIdAt } from "@/lib/platform/ids";
import { roleHasRight } from "@/lib/platform/rights/role-rights";
import { maxUnits } from "@/lib/platform/text/max-units";

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Filters of the audit log. */
export const auditConditionFields = {
  actor: z
    .union([z.enum(["user", "api", "system"]), z.uuid()])
    .optional()
    .describe("Only changes by this type of actor, or by the user or API token with this ID."),
  object_type: z
    .string()
    .check(maxUnits(50))
    .regex(/^[a-z_]+$/, "object_type must be a name such as api_token")
    .optional()
    .describe("Only changes of objects of this type, such as `api_token`."),
  from: Moment.optional().describe("Only changes from this time on."),
  to: Moment.optional().describe("Only changes before this time."),
};

type AuditConditions = z.output<z.ZodObject<typeof auditConditionFields>>;

/** The statements that read a page of the audit log and count its rows share these branches and values. */
interface AuditSearch {
  /** Conditions on `audit_entries e`, one per index that the search reads. */
  branches: string[];
  values: unknown[];
}

/**
 * Prepares a search of the audit log: the entries of the account, and for users with the right to manage people also
 * those of the partner that belong to no account, such as sign-ins and changes of roles.
 */
export function prepareAuditSearch(
  ctx: Context,
  { actor, object_type, from, to }: AuditConditions,
): AuditSearch {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const shared = [
    ...(actor === undefined
      ? []
      : [isActorType(actor) ? `e.actor_type = ${bind(actor)}` : byId(bind(actor))]),
    ...(object_type === undefined ? [] : [`e.object_type = ${bind(object_type)}`]),
    ...(from === undefined ? [] : [`e.id >= ${bind(firstIdAt(from.getTime()))}`]),
    ...(to === undefined ? [] : [`e.id < ${bind(firstIdAt(to.getTime()))}`]),
  ];
  const scopes = [`e.account_id = ${bind(ctx.account.id)}`];
  if (maySeePeople(ctx))
    scopes.push(`e.account_id is null and e.partner_id = ${bind(ctx.account.partnerId)}`);
  return { branches: scopes.map((scope) => [scope, ...shared].join(" and ")), values };
}

/** Whether the actor may read the partner's entries about people and their sign-ins. */
export function maySeePeople({ actor }: Context): boolean {
  return actor.type === "user" && roleHasRight(actor, "manage_people");
}

function isActorType(actor: string): boolean {
  return actor === "user" || actor === "api" || actor === "system";
}

function byId(value: string): string {
  return `e.actor_id = ${value}::uuid`;
}
