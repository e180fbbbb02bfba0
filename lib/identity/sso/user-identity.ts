import "server-only";
import { endSessions } from "@/lib/identity/sessions/end-sessions";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import type { Sql } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";

/**
 * Unlinks a person's accounts at identity providers and ends the person's sessions, for the operator: the person has got
 * another account. Returns their number.
 */
export async function unlinkIdentities(tx: Sql, userId: string): Promise<number> {
  const unlinked = await tx.query({
    name: "unlink-identities",
    text: "delete from user_identities where user_id = $1 returning 1",
    values: [userId],
  });
  await endSessions(tx, userId);
  const detail = { count: unlinked.length };
  await recordUserAudit(tx, userId, "user.identity_unlinked", { actorType: "system", detail });
  return unlinked.length;
}

/** Whether a person's account at this instance's identity provider is linked. */
export async function hasIdentity(on: Sql, userId: string): Promise<boolean> {
  const rows = await on.query({
    name: "has-identity",
    text: "select 1 from user_identities where user_id = $1 and rtrim(issuer, '/') = rtrim($2, '/') limit 1",
    values: [userId, env().OIDC_ISSUER ?? ""],
  });
  return rows.length > 0;
}
