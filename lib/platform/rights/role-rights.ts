import "server-only";
import type { Context, Role } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";
import type { Right } from "@/lib/platform/rights/right";

/** A column of the table: a role in the account's partner, or the operator flag of the user. */
type Holder = Role | "operator";

const EVERY_ROLE = ["viewer", "support", "developer", "admin"] as const;
const SUPPORT = ["support", "developer", "admin"] as const;
const DEVELOPER = ["developer", "admin"] as const;
const ADMIN = ["admin"] as const;
const OPERATOR = ["operator"] as const;
const ADMIN_OR_OPERATOR = ["admin", "operator"] as const;

/** The role table: the roles that have each right. Only operators have a right that no role has. */
const RIGHT_HOLDERS = {
  signed_in: EVERY_ROLE,
  view_account: EVERY_ROLE,
  view_lines: EVERY_ROLE,
  view_chats: EVERY_ROLE,
  view_opt_outs: EVERY_ROLE,
  view_payments: EVERY_ROLE,
  view_events: EVERY_ROLE,
  view_requests: EVERY_ROLE,
  view_webhooks: EVERY_ROLE,
  view_request_bodies: SUPPORT,
  send_messages: SUPPORT,
  decide_opt_outs: SUPPORT,
  manage_blocks: SUPPORT,
  request_payments: SUPPORT,
  view_history: DEVELOPER,
  view_tokens: DEVELOPER,
  view_payment_payloads: DEVELOPER,
  manage_attachments: DEVELOPER,
  manage_lines: DEVELOPER,
  manage_payments: DEVELOPER,
  manage_tokens: DEVELOPER,
  manage_webhooks: DEVELOPER,
  manage_account: ADMIN,
  manage_accounts: ADMIN_OR_OPERATOR,
  manage_people: ADMIN,
  manage_personal_data: ADMIN,
  manage_spending: ADMIN,
  add_simulated_lines: ADMIN_OR_OPERATOR,
  release_lines: ADMIN_OR_OPERATOR,
  assign_lines: OPERATOR,
  connect_lines: OPERATOR,
  flag_lines: OPERATOR,
  view_instance: OPERATOR,
  operate_instance: OPERATOR,
} as const satisfies Record<Right, readonly Holder[]>;

/** The subject of a check: a role, and whether the user is an operator of the instance. */
export interface RightsOf {
  role: Role;
  isOperator?: boolean;
}

export function roleHasRight({ role, isOperator }: RightsOf, right: Right): boolean {
  const holders: readonly Holder[] = RIGHT_HOLDERS[right];
  return holders.includes(role) || (isOperator === true && holders.includes("operator"));
}

/** All rights of a user. */
export function listRights(of: RightsOf): Right[] {
  return (Object.keys(RIGHT_HOLDERS) as Right[]).filter((right) => roleHasRight(of, right));
}

/** Rights beyond an account's own data. An archived account can be restored, and people can be managed in it. */
const OUTSIDE_ACCOUNT: readonly Right[] = ["signed_in", "manage_accounts", "manage_people"];

/** Whether a right remains in a read-only account, which is archived or has expired. */
export function isReadRight(right: Right): boolean {
  return right.startsWith("view_") || OUTSIDE_ACCOUNT.includes(right);
}

/**
 * Whether the caller has a right. People have rights through their role, also with a token of the API explorer. The system
 * and API tokens have every right, except that a token with scopes needs `payments` for what lets it act as a customer
 * who pays: wallet links and one-time codes. The scopes of an operation are checked before it runs (require-scope.ts).
 */
export function hasRight({ actor }: Pick<Context, "actor">, right: Right): boolean {
  if (actor.type === "user") return roleHasRight(actor, right);
  if (actor.type === "system" || actor.scopes === undefined) return true;
  return right !== "manage_payments" || actor.scopes.includes("payments");
}

/**
 * Rejects people whose role lacks the right, and contracts without a right, which people can't call. Errors:
 * access_denied.
 */
export function requireRight({ actor }: Pick<Context, "actor">, right: Right | undefined): void {
  if (actor.type !== "user") return;
  if (right === undefined) fail("access_denied", "this operation requires an API token");
  if (roleHasRight(actor, right)) return;
  const why = RIGHT_HOLDERS[right].some((holder) => holder !== "operator")
    ? `the role "${actor.role}" may not ${right.replaceAll("_", " ")}`
    : `only an operator of this instance can ${right.replaceAll("_", " ")}`;
  fail("access_denied", why);
}
