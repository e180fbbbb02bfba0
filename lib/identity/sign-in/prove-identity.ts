import "server-only";
import { z } from "zod";
import { inAttemptSlot } from "@/lib/identity/sign-in/attempt-slots";
import { verifyPassword } from "@/lib/identity/sign-in/hash-password";
import { accountThrottle, claimAttemptNow, revertAttempt } from "@/lib/identity/sign-in/throttle-attempts";
import { MAX_PASSWORD_LENGTH } from "@/lib/identity/users/password-rule";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

export const ProveIdentity = contract({
  summary: "Confirm your identity with your password",
  tag: "Session",
  right: "signed_in",
  body: z.object({ password: z.string().min(1).check(maxUnits(MAX_PASSWORD_LENGTH)) }),
  status: 204,
  errors: ["access_denied", "rate_limited"],
  extension: true,
});

const PROVE_SESSION = statement(
  "prove-session",
  "update sessions set proved_at = now() where id = :sessionId and user_id = :userId",
);

/**
 * Confirms the identity of the caller's session for PROOF_MINUTES. Errors: access_denied (wrong password, or a user
 * without one), rate_limited after five wrong passwords.
 */
export async function proveIdentity(
  ctx: Context,
  { body }: Pick<Input<typeof ProveIdentity>, "body">,
): Promise<undefined> {
  const { userId, sessionId } = await checkOwnPassword(ctx, body.password);
  await transaction(async (tx) => {
    await tx.run(PROVE_SESSION, { sessionId, userId });
    await recordUserAudit(tx, userId, "user.identity_confirmed", { traceId: ctx.traceId });
  });
}

/** Checks the caller's password. Failures are counted per session. Errors: access_denied, rate_limited. */
export function checkOwnPassword(
  ctx: Context,
  password: string,
): Promise<{ userId: string; sessionId: string }> {
  return inAttemptSlot(() => verifyOwnPassword(ctx, password));
}

const PASSWORD_OF_USER = statement("password-of-user", "select password_hash from users where id = :userId");

async function verifyOwnPassword({ actor, traceId, now }: Context, password: string) {
  if (actor.type !== "user" || actor.sessionId === undefined)
    fail("access_denied", "sign in to the dashboard first");
  const { userId, sessionId } = actor;

  const throttles = [accountThrottle(userId, `session ${sessionId}`)];
  const lockedSeconds = await claimAttemptNow(throttles, now);
  if (lockedSeconds > 0) failRateLimited(lockedSeconds);

  const [user] = await sql.run(PASSWORD_OF_USER, { userId });
  if (!(await verifyPassword(user?.password_hash ?? null, password))) {
    await transaction((tx) => recordUserAudit(tx, userId, "user.identity_check_failed", { traceId }));
    fail("access_denied", "the password is wrong");
  }
  await transaction((tx) => revertAttempt(tx, throttles));
  return { userId, sessionId };
}
