import "server-only";
import type { errors } from "jose";
import { z } from "zod";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { oidcProvider } from "@/lib/identity/sso/oidc-client";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const MAX_AGE = "5 minutes";

const LogoutClaims = z
  .object({
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/**
 * Ends the sessions that a logout token of the identity provider names (OpenID Connect Back-Channel Logout 1.0): one
 * browser's by `sid`, or all of a person's by `sub`. Errors: route_unknown without single
 * sign-on; parameter_invalid for a token that is not the provider's, not for this client, older than five minutes, or
 * no logout token; service_unavailable if the provider or its keys can't be reached.
 */
export async function backchannelLogout(logoutToken: string): Promise<void> {
  if (singleSignOnName() === null) fail("route_unknown", "this instance has no single sign-on");
  const { sub, sid } = await verify(logoutToken);
  await transaction(async (tx) => {
    for (const { id, user_id } of await endNamed(tx, { sub, sid })) {
      const detail = { session: id, reason: "backchannel_logout" };
      await recordUserAudit(tx, user_id, "user.session_ended", { actorType: "system", detail });
    }
    tx.wake("sessions");
  });
}

async function verify(logoutToken: string): Promise<z.infer<typeof LogoutClaims>> {
  const { issuer, clientId, keys } = await oidcProvider().catch(failUnreachable);
  const jose = await import("jose");
  try {
    const options = { issuer, audience: clientId, maxTokenAge: MAX_AGE };
    const { payload } = await jose.jwtVerify(logoutToken, keys, options);
    return LogoutClaims.parse(payload);
  } catch (error) {
    if (isTokenError(error, jose.errors)) return fail("parameter_invalid", "the logout token is not valid");
    return failUnreachable(error);
  }
}

type JoseErrors = typeof errors;

/** Whether the token is wrong. Otherwise the provider's keys could not be loaded. */
function isTokenError(error: unknown, errors: JoseErrors): boolean {
  if (error instanceof z.ZodError) return true;
  // jose reports a response other than 200 with the code of no error in particular.
  const isAboutKeys = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  return error instanceof errors.JOSEError && !isAboutKeys && error.code !== errors.JOSEError.code;
}

function failUnreachable(error: unknown): never {
  log.warn({ err: error }, "the identity provider can't be reached");
  return fail("service_unavailable", "the identity provider can't be reached");
}

const END_SSO_SESSIONS = statement(
  "end-sso-sessions",
  `delete from sessions where id = any(array(
    select session_id from sso_sessions
    where (:sub::text is null or subject = :sub) and (:sid::text is null or sid = :sid)))
  returning id, user_id`,
);

function endNamed(tx: Sql, { sub, sid }: Pick<z.infer<typeof LogoutClaims>, "sub" | "sid">) {
  return tx.run(END_SSO_SESSIONS, { sub: sub ?? null, sid: sid ?? null });
}
