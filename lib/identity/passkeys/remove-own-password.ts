import "server-only";
import { requireOwnSession } from "@/lib/identity/passkeys/own-session";
import { findPasskeys, lockCredentials } from "@/lib/identity/passkeys/user-passkey";
import { failWithoutPasskey } from "@/lib/identity/sessions/require-fresh-proof";
import { notifyOtherSessions } from "@/lib/identity/sessions/session-notice";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const RemoveOwnPassword = contract({
  summary: "Remove your password",
  tag: "Session",
  right: "signed_in",
  proof: true,
  status: 204,
  errors: ["access_denied", "proof_required", "state_conflict"],
  extension: true,
});

const REMOVE_PASSWORD = statement(
  "remove-password",
  "update users set password_hash = null where id = :userId",
);

/**
 * Removes the caller's password, so that only passkeys and single sign-on open sessions. Requires a session with a
 * passkey, which shows that the passkey works. Errors: access_denied, proof_required, state_conflict without a passkey.
 */
export async function removeOwnPassword(ctx: Context): Promise<undefined> {
  const actor = requireOwnSession(ctx.actor);
  const { userId } = actor;
  await transaction(async (tx) => {
    const { hasPassword } = await lockCredentials(tx, userId);
    if ((await findPasskeys(tx, userId)).length === 0) {
      fail("state_conflict", "you have no passkey: add one before you remove the password");
    }
    if (actor.hasPasswordOnly === true) failWithoutPasskey();
    if (!hasPassword) return;
    await tx.run(REMOVE_PASSWORD, { userId });
    await recordUserAudit(tx, userId, "user.password_removed", { traceId: ctx.traceId });
    await notifyOtherSessions(tx, actor, { type: "password_removed", at: ctx.now });
  });
}
