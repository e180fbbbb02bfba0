import "server-only";
import { newChallenge } from "@/lib/identity/passkeys/passkey-challenge";
import { passkeyOrigin, requirePasskeyOrigin } from "@/lib/identity/passkeys/passkey-origin";
import { consumeAssertion, type PasskeyRefusal } from "@/lib/identity/passkeys/use-passkey";
import { findPasskey, type StoredPasskey } from "@/lib/identity/passkeys/verify-passkey";
import { knownDevice } from "@/lib/identity/sessions/known-device";
import { type AdmittedUser, admitUser, type SignInCookies } from "@/lib/identity/sign-in/admit-user";
import { claimAttemptNow, revertAttempt, signInThrottles } from "@/lib/identity/sign-in/throttle-attempts";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import type { SignedInUser } from "@/lib/identity/users/user";
import type { PasskeyAssertion } from "@/lib/platform/crypto/passkey-response";
import { generateAuthenticationOptions } from "@/lib/platform/crypto/webauthn";
import { sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

export type PasskeySignIn =
  | { outcome: "signed_in"; user: SignedInUser }
  /** The passkey is not one of a person's here, for example because it was removed. */
  | { outcome: "unknown" }
  | { outcome: "refused"; reason: PasskeyRefusal }
  /** The passkey is right, but all of the person's partners require single sign-on. */
  | { outcome: "sso_required" }
  | { outcome: "locked"; retryAfterSeconds: number };

/**
 * Returns the options with which a browser offers the passkeys that it has for the dashboard, without an email address.
 * Errors: feature_not_available.
 */
export function passkeySignInOptions() {
  requirePasskeyOrigin();
  return generateAuthenticationOptions({
    rpID: passkeyOrigin().rpID,
    challenge: newChallenge({ type: "sign_in" }),
    userVerification: "required",
  });
}

/**
 * Signs in the person of a passkey. Failures are counted with those of the person's password. An unknown passkey counts
 * against the client's address.
 */
export async function signInWithPasskey(
  assertion: PasskeyAssertion,
  cookies: SignInCookies = {},
): Promise<PasskeySignIn> {
  const stored = await findPasskey(assertion.id);
  const user = stored === null ? null : await findUser(stored.userId);
  const device = user === null ? null : knownDevice(user.id, cookies.device);
  const throttles = signInThrottles(user?.email ?? `passkey ${assertion.id}`, device);
  const lockedSeconds = await claimAttemptNow(throttles, now());
  if (lockedSeconds > 0) return { outcome: "locked", retryAfterSeconds: lockedSeconds };
  if (stored === null || user === null) return { outcome: "unknown" };

  return transaction(async (tx) => {
    const refusal = isOwnedBy(assertion, stored)
      ? await consumeAssertion(tx, { type: "sign_in" }, { assertion, stored })
      : "signature";
    if (refusal !== null) {
      const detail = { method: "passkey", reason: refusal };
      await recordUserAudit(tx, user.id, "user.sign_in_failed", { detail });
      return { outcome: "refused", reason: refusal };
    }
    await revertAttempt(tx, throttles);
    const admitted = await admitUser(tx, user, { method: "passkey" }, cookies);
    return admitted === null ? { outcome: "sso_required" } : { outcome: "signed_in", user: admitted };
  });
}

// The authenticator returns the person for whom it stored the passkey, which must be the person of the stored key.
function isOwnedBy({ response }: PasskeyAssertion, { userId }: StoredPasskey): boolean {
  if (response.userHandle === undefined) return true;
  return Buffer.from(response.userHandle, "base64url").toString("hex") === userId.replaceAll("-", "");
}

const USER_BY_ID = statement("user-by-id", "select id, email, name from users where id = :userId");

async function findUser(userId: string): Promise<AdmittedUser | null> {
  const [row] = await sql.run(USER_BY_ID, { userId });
  return row ?? null;
}
