import "server-only";
import { z } from "zod";
import { deletePasskeys, lockCredentials } from "@/lib/identity/passkeys/user-passkey";
import { endSessions } from "@/lib/identity/sessions/end-sessions";
import { requireFreshProof } from "@/lib/identity/sessions/require-fresh-proof";
import { requirePower } from "@/lib/identity/sign-in/require-power";
import { getMembership } from "@/lib/identity/users/membership";
import { partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";

export const RemovePersonPasskeys = contract({
  summary: "Remove a person's passkeys",
  tag: "People",
  right: "manage_people",
  proof: true,
  params: z.object({ userId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "proof_required", "name_unknown", "state_conflict"],
  extension: true,
});

/**
 * Removes all passkeys of a person who lost them and ends the person's sessions. The person then signs in with the
 * password and can add a passkey. Errors: access_denied (`requirePower`), proof_required, name_unknown, state_conflict for an
 * invited person.
 */
export async function removePersonPasskeys(
  ctx: Context,
  { params }: Pick<Input<typeof RemovePersonPasskeys>, "params">,
): Promise<undefined> {
  requireFreshProof(ctx);
  const change = partnerChangeOf(ctx);
  await transaction(async (tx) => {
    // First, so that the person joins no other partner in between.
    await lockCredentials(tx, params.userId);
    requirePower(ctx.actor, await getMembership(tx, change.partnerId, params.userId));
    const count = await clearPasskeys(tx, params.userId);
    await recordMemberAudit(tx, change, params.userId, "user.passkeys_removed", { count });
  });
}

/** Removes a person's passkeys and ends their sessions. Returns the number of passkeys. */
export async function clearPasskeys(tx: Sql, userId: string): Promise<number> {
  await lockCredentials(tx, userId);
  const count = await deletePasskeys(tx, userId);
  await endSessions(tx, userId);
  return count;
}
