import "server-only";
import type { Context, Role } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors";

export type Right =
  | "decide_opt_outs"
  | "dismiss_notices"
  | "manage_account"
  | "manage_attachments"
  | "manage_blocks"
  | "manage_lines"
  | "manage_payments"
  | "manage_people"
  | "manage_spending"
  | "manage_tokens"
  | "manage_webhooks"
  | "request_payments"
  | "send_messages";

const RIGHTS = {
  admin: [
    "decide_opt_outs",
    "dismiss_notices",
    "manage_account",
    "manage_attachments",
    "manage_blocks",
    "manage_lines",
    "manage_payments",
    "manage_people",
    "manage_spending",
    "manage_tokens",
    "manage_webhooks",
    "request_payments",
    "send_messages",
  ],
  developer: [
    "decide_opt_outs",
    "dismiss_notices",
    "manage_attachments",
    "manage_blocks",
    "manage_lines",
    "manage_payments",
    "manage_tokens",
    "manage_webhooks",
    "request_payments",
    "send_messages",
  ],
  support: ["decide_opt_outs", "dismiss_notices", "manage_blocks", "request_payments", "send_messages"],
  viewer: [],
} as const satisfies Record<Role, readonly Right[]>;

export function roleHasRight(role: Role, right: Right): boolean {
  const rights: readonly Right[] = RIGHTS[role];
  return rights.includes(right);
}

/** Whether the caller has a right: users by their role, the system and API tokens always. */
export function hasRight({ actor }: Context, right: Right): boolean {
  return actor.type !== "user" || roleHasRight(actor.role, right);
}

/** Lets only users whose role has the right go on; the system and API tokens have all. Errors: access_denied. */
export function requireRight(ctx: Context, right: Right): void {
  if (ctx.actor.type !== "user" || roleHasRight(ctx.actor.role, right)) return;
  fail("access_denied", `the role "${ctx.actor.role}" may not ${right.replaceAll("_", " ")}`);
}
