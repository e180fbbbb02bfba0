import "server-only";
import { z } from "zod";
import { requireOwnSession } from "@/lib/identity/passkeys/own-session";
import { newChallenge } from "@/lib/identity/passkeys/passkey-challenge";
import { passkeyOrigin, requirePasskeyOrigin } from "@/lib/identity/passkeys/passkey-origin";
import { consumeAssertion } from "@/lib/identity/passkeys/use-passkey";
import { findDescriptors } from "@/lib/identity/passkeys/user-passkey";
import { findPasskey } from "@/lib/identity/passkeys/verify-passkey";
import { inAttemptSlot } from "@/lib/identity/sign-in/attempt-slots";
import { accountThrottle, claimAttemptNow, revertAttempt } from "@/lib/identity/sign-in/throttle-attempts";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { PasskeyAssertion } from "@/lib/platform/crypto/passkey-response";
import { generateAuthenticationOptions } from "@/lib/platform/crypto/webauthn";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";

/** WebAuthn's PublicKeyCredentialRequestOptionsJSON, as far as Trunkline uses it. */
const RequestOptions = z.looseObject({ challenge: z.string() });

export const PasskeyProofOptions = contract({
  summary: "Get the options with which this browser confirms your identity with a passkey",
  tag: "Session",
  right: "signed_in",
  returns: RequestOptions,
  status: 200,
  errors: ["access_denied", "state_conflict", "feature_not_available"],
  extension: true,
});

/** Returns the options of a confirmation with one of the caller's passkeys. Errors: state_conflict without any. */
export async function passkeyProofOptions({ actor }: Pick<Context, "actor">) {
  const { userId, sessionId } = requireOwnSession(actor);
  requirePasskeyOrigin();
  const passkeys = await findDescriptors(sql, userId);
  if (passkeys.length === 0) fail("state_conflict", "you have no passkey: use your password");
  const options = await generateAuthenticationOptions({
    rpID: passkeyOrigin().rpID,
    challenge: newChallenge({ type: "confirm", userId, sessionId }),
    allowCredentials: passkeys,
    userVerification: "required",
  });
  return { ...options };
}

export const ProveWithPasskey = contract({
  summary: "Confirm your identity with a passkey",
  tag: "Session",
  right: "signed_in",
  body: z.object({ assertion: PasskeyAssertion }),
  status: 204,
  errors: ["access_denied", "parameter_invalid", "rate_limited"],
  extension: true,
});

/**
 * Confirms the identity of the caller's session for PROOF_MINUTES. Afterwards a session that began with a password
 * counts as one with a passkey. Failures are counted with those of the password. Errors: parameter_invalid,
 * rate_limited after five failures.
 */
export function proveWithPasskey(
  ctx: Context,
  { body }: Pick<Input<typeof ProveWithPasskey>, "body">,
): Promise<undefined> {
  return inAttemptSlot(() => verifyOwnPasskey(ctx, body));
}

async function verifyOwnPasskey(
  { actor, traceId, now }: Context,
  body: Input<typeof ProveWithPasskey>["body"],
): Promise<undefined> {
  const { userId, sessionId } = requireOwnSession(actor);
  const throttles = [accountThrottle(userId, `session ${sessionId}`)];
  const lockedSeconds = await claimAttemptNow(throttles, now);
  if (lockedSeconds > 0) failRateLimited(lockedSeconds);

  const stored = await findPasskey(body.assertion.id);
  const refusal = await transaction(async (tx) => {
    const reason =
      stored?.userId === userId
        ? await consumeAssertion(
            tx,
            { type: "confirm", userId, sessionId },
            { assertion: body.assertion, stored },
          )
        : "signature";
    if (reason !== null) {
      const detail = { method: "passkey", reason };
      await recordUserAudit(tx, userId, "user.identity_check_failed", { traceId, detail });
      return reason;
    }
    await confirmSession(tx, userId, sessionId);
    await revertAttempt(tx, throttles);
    await recordUserAudit(tx, userId, "user.identity_confirmed", { traceId, detail: { method: "passkey" } });
    return null;
  });
  if (refusal === "copied") {
    fail("parameter_invalid", "a copy of this passkey was used since: remove the passkey and add a new one");
  }
  if (refusal !== null) {
    fail("parameter_invalid", "the passkey was not accepted: try again, or use another one of your passkeys");
  }
}

const CONFIRM_SESSION_BY_PASSKEY = statement(
  "confirm-session-by-passkey",
  `update sessions set proved_at = now(), method = case when method = 'password' then 'passkey' else method end
  where id = :sessionId and user_id = :userId`,
);

async function confirmSession(tx: Sql, userId: string, sessionId: string): Promise<void> {
  await tx.run(CONFIRM_SESSION_BY_PASSKEY, { sessionId, userId });
}
