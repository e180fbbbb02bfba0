import "server-only";
import { z } from "zod";
import { passkeyBlocker, requirePasskeyOrigin } from "@/lib/identity/passkeys/passkey-origin";
import { failWithoutPasskey, requireFreshProof } from "@/lib/identity/sessions/require-fresh-proof";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { lockMembers } from "@/lib/identity/users/membership";
import { type PartnerChange, partnerChangeOf, recordPartnerAudit } from "@/lib/identity/users/partner-change";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** How the people of a partner must sign in. The rules apply to every account of the partner. */
const SignInRules = z.object({
  /** Whether an admin who signed in with a password must also use a passkey. */
  admins_need_passkey: z.boolean(),
  /** Whether people must use single sign-on. Operators of the instance can always use their own credentials. */
  requires_sso: z.boolean(),
});

type SignInRules = z.infer<typeof SignInRules>;

export const GetSignInRules = contract({
  summary: "Get the sign-in rules of the partner",
  tag: "People",
  right: "manage_people",
  returns: SignInRules.extend({
    /** Why passkeys don't work at the dashboard's URL, and what to do; null when they work. */
    passkey_blocker: z.string().nullable(),
    /** The name of the instance's single sign-on; null when it has none. */
    sso_name: z.string().nullable(),
    /** Admins who have no passkey yet. They are asked to add one when the rule applies. */
    admins_without_passkey: z.int(),
  }),
  status: 200,
  errors: ["access_denied"],
  extension: true,
});

const SIGN_IN_RULES = statement(
  "sign-in-rules",
  `select p.admins_need_passkey, p.requires_sso, (
    select count(*)::int from memberships m where m.partner_id = p.id and m.role = 'admin'
      and not exists (select 1 from user_passkeys where user_id = m.user_id)) as admins_without_passkey
  from partners p where p.id = :partnerId`,
);

/** The sign-in rules of the account's partner. */
export async function getSignInRules({
  account,
}: Pick<Context, "account">): Promise<z.infer<typeof GetSignInRules.returns>> {
  const [row] = await sql.run(SIGN_IN_RULES, { partnerId: account.partnerId });
  if (row === undefined) throw new Error("the account has no partner");
  return { ...row, passkey_blocker: passkeyBlocker(), sso_name: singleSignOnName() };
}

export const UpdateSignInRules = contract({
  summary: "Change the sign-in rules of the partner",
  tag: "People",
  right: "manage_people",
  proof: true,
  body: SignInRules.partial(),
  status: 204,
  errors: ["access_denied", "proof_required", "parameter_invalid", "state_conflict", "feature_not_available"],
  extension: true,
});

/**
 * Changes the sign-in rules of the account's partner, effective at once for sessions that exist. An admin who signed in
 * with a password turns on the passkey rule only with a passkey, so that at least one admin has one, and only an admin
 * who used single sign-on requires it. Errors: proof_required, state_conflict, feature_not_available where passkeys don't
 * work or the instance has no single sign-on.
 */
export async function updateSignInRules(
  ctx: Context,
  { body }: Pick<Input<typeof UpdateSignInRules>, "body">,
): Promise<undefined> {
  requireFreshProof(ctx);
  if (body.admins_need_passkey === true) requireOwnPasskey(ctx);
  if (body.requires_sso === true) await requireOwnSso(ctx);
  await transaction((tx) => setSignInRules(tx, partnerChangeOf(ctx), body));
}

function requireOwnPasskey({ actor }: Context): void {
  requirePasskeyOrigin();
  if (actor.type === "user" && actor.hasPasswordOnly === true) failWithoutPasskey();
}

const OWN_SESSION_BY_SSO = statement(
  "own-session-by-sso",
  "select 1 from sessions where id = :sessionId and method = 'oidc'",
);

// The admin's own sign-in shows that single sign-on works and that this admin can still open the account.
async function requireOwnSso({ actor }: Context): Promise<void> {
  const name = singleSignOnName();
  if (name === null) fail("feature_not_available", "this instance has no single sign-on: set OIDC_ISSUER");
  if (actor.type !== "user") return;
  const [session] = await sql.run(OWN_SESSION_BY_SSO, { sessionId: actor.sessionId ?? null });
  if (session === undefined) fail("state_conflict", `sign in with ${name} first, which shows that it works`);
}

const SIGN_IN_RULES_BEFORE = statement(
  "sign-in-rules-before",
  "select admins_need_passkey, requires_sso from partners where id = :partnerId",
);

const SET_SIGN_IN_RULES = statement(
  "set-sign-in-rules",
  "update partners set admins_need_passkey = :adminsNeedPasskey, requires_sso = :requiresSso where id = :partnerId",
);

/** Like `updateSignInRules`, for any actor. Errors: name_unknown for an unknown partner. */
export async function setSignInRules(
  tx: Sql,
  change: PartnerChange,
  rules: Partial<SignInRules>,
): Promise<void> {
  await lockMembers(tx, change.partnerId);
  const [before] = await tx.run(SIGN_IN_RULES_BEFORE, { partnerId: change.partnerId });
  if (before === undefined) fail("name_unknown", `no partner has the ID ${change.partnerId}`);
  const after = { ...before, ...rules };
  const isSame = before.admins_need_passkey === after.admins_need_passkey;
  if (isSame && before.requires_sso === after.requires_sso) return;
  await tx.run(SET_SIGN_IN_RULES, {
    partnerId: change.partnerId,
    adminsNeedPasskey: after.admins_need_passkey,
    requiresSso: after.requires_sso,
  });
  await recordPartnerAudit(tx, change, "partner.sign_in_rules_changed", { from: before, to: after });
  tx.wake("sessions");
}
