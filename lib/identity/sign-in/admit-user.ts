import "server-only";
import { emitAccountEvent } from "@/lib/events/store/emit-account-event";
import { newDeviceMail } from "@/lib/identity/mail/mail-texts";
import { queueMail } from "@/lib/identity/mail/queue-mail";
import { knownDevice } from "@/lib/identity/sessions/known-device";
import { openSession, type SignInMethod } from "@/lib/identity/sessions/open-session";
import { insertSsoSession, type SsoIdentity } from "@/lib/identity/sessions/sso-session";
import { ssoRuleOf } from "@/lib/identity/sign-in/sso-only";
import { memberChange } from "@/lib/identity/users/member-change";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { TEAM_MEMBER_EVENTS } from "@/lib/identity/users/team-member-events";
import type { SignedInUser } from "@/lib/identity/users/user";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { requestClient } from "@/lib/platform/http/request-client";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** The properties of the browser that signs in, besides the credentials. */
export interface SignInCookies {
  /** The value of the device cookie. */
  device?: string;
  /** The secret of the browser's existing session, which the new one replaces. */
  session?: string | null;
}

export type AdmittedUser = RowOf<"user-by-id">;

/** The names of sign-in methods in account events (docs/contract.md, section 12.6). */
const METHODS = { password: "code", passkey: "code", oidc: "sso" } as const satisfies Record<
  SignInMethod,
  string
>;

interface HowProved {
  method: SignInMethod;
  provedAt?: Date | null;
  /** The person at the identity provider. */
  identity?: SsoIdentity | undefined;
}

const ADMIT_USER = statement(
  "admit-user",
  `update users u set last_sign_in_at = :now
  from (select id, last_sign_in_at as at from users where id = :userId for update) before
  where u.id = before.id returning before.at`,
);

/**
 * Signs in a user whose credentials were checked, in the caller's transaction: opens the session, records the audit
 * entry, notifies the accounts of the user's partners, and tells the user by email about a sign-in from a new browser.
 * Returns null, and records the refusal, if all of the user's partners require single sign-on and this is none.
 */
export async function admitUser(
  tx: Sql,
  user: AdmittedUser,
  { method, provedAt, identity }: HowProved,
  cookies: SignInCookies,
): Promise<SignedInUser | null> {
  const rule = await ssoRuleOf(tx, user.id);
  const isWithoutSso = rule.isRequired && method !== "oidc";
  if (isWithoutSso && !rule.isExempt) {
    const detail = { method, reason: "sso_required" };
    await recordUserAudit(tx, user.id, "user.sign_in_failed", { detail });
    return null;
  }
  const [before] = await tx.run(ADMIT_USER, { userId: user.id, now: now() });
  const change = await memberChange(tx, user);
  const detail = { method, ...(isWithoutSso && { break_glass: true }) };
  await recordUserAudit(tx, user.id, "user.signed_in", { traceId: change.traceId, detail });
  const team_member = { id: user.id, name: user.name };
  await emitAccountEvent(tx, change, TEAM_MEMBER_EVENTS["team_member.signed_in"], {
    team_member,
    method: METHODS[method],
  });
  if (before?.at != null && knownDevice(user.id, cookies.device) === null) {
    const mail = newDeviceMail(requestClient(), change.at);
    await queueMail(tx, { type: "new_device", recipient: user.email, mail });
  }
  const sessionId = newId(Date.now());
  const newSession = { id: sessionId, userId: user.id, method, provedAt, replaces: cookies.session ?? null };
  const sessionToken = await openSession(tx, newSession);
  if (identity !== undefined) await insertSsoSession(tx, { sessionId, userId: user.id }, identity);
  return { id: user.id, email: user.email, name: user.name, sessionToken };
}
