import "server-only";

/** The proof that a session lacks before it can open the accounts of a partner. */
export type MissingProof = "passkey" | "sign_in" | "single_sign_on";

interface Aliases {
  session: string;
  user: string;
  member: string;
  partner: string;
}

/**
 * SQL for the proof that a session lacks before it can open the accounts of a membership's partner; null = nothing. After
 * an admin ended a person's sessions in the partner, a new sign-in. A sign-in whose groups change the role has the time of
 * that change, and is new. Where single sign-on is required, operators of the instance can still use their own credentials,
 * so that a provider that fails locks no one out. Where admins need a passkey, a password alone is not enough. A single
 * sign-on is, because the identity provider asks for the second factor.
 */
export function missingProof({ session, user, member, partner }: Aliases): string {
  return `case
    when ${session}.created_at < ${member}.sessions_ended_at then 'sign_in'
    when ${partner}.requires_sso and ${session}.method <> 'oidc' and not ${user}.is_operator then 'single_sign_on'
    when ${partner}.admins_need_passkey and ${member}.role = 'admin' and ${session}.method = 'password'
    then 'passkey' end`;
}
