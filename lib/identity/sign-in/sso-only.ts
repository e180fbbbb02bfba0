import "server-only";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** Whether all partners of a person require single sign-on, and whether the person may do without as an operator. */
export interface SsoRule {
  isRequired: boolean;
  /** Operators of the instance must be able to sign in when the identity provider fails. */
  isExempt: boolean;
}

const SSO_RULE_OF_USER = statement(
  "sso-rule-of-user",
  `select bool_and(p.requires_sso) as is_required, bool_or(u.is_operator) as is_exempt
  from memberships m join partners p on p.id = m.partner_id join users u on u.id = m.user_id
  where m.user_id = :userId`,
);

/** Whether a password or a passkey opens any of a person's accounts. */
export async function ssoRuleOf(on: Sql, userId: string): Promise<SsoRule> {
  const [row] = await on.run(SSO_RULE_OF_USER, { userId });
  return { isRequired: row?.is_required === true, isExempt: row?.is_exempt === true };
}

const REQUIRES_SSO = statement(
  "requires-sso",
  "select 1 from partners where id = :partnerId and requires_sso",
);

/** Whether the people of a partner must use single sign-on. */
export async function requiresSso(on: Sql, partnerId: string): Promise<boolean> {
  const [row] = await on.run(REQUIRES_SSO, { partnerId });
  return row !== undefined;
}

/** Fails where a password would be of no use. Errors: state_conflict. */
export async function failIfSsoRequired(on: Sql, partnerId: string): Promise<void> {
  if (!(await requiresSso(on, partnerId))) return;
  const name = singleSignOnName() ?? "single sign-on";
  fail("state_conflict", `people of this partner sign in with ${name}, not with a password`);
}
