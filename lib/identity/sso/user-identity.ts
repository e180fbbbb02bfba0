import "server-only";
import { endSessions } from "@/lib/identity/sessions/end-sessions";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";

const UNLINK_IDENTITIES = statement(
  "unlink-identities",
  "delete from user_identities where user_id = :userId returning 1",
);

/**
 * Unlinks a person's accounts at identity providers and ends the person's sessions, for the operator: the person has got
 * another account. Returns their number.
 */
export async function unlinkIdentities(tx: Sql, userId: string): Promise<number> {
  const unlinked = await tx.run(UNLINK_IDENTITIES, { userId });
  await endSessions(tx, userId);
  const detail = { count: unlinked.length };
  await recordUserAudit(tx, userId, "user.identity_unlinked", { actorType: "system", detail });
  return unlinked.length;
}

const HAS_IDENTITY = statement(
  "has-identity",
  "select 1 from user_identities where user_id = :userId and rtrim(issuer, '/') = rtrim(:oidcissuer, '/') limit 1",
);

/** Whether a person's account at this instance's identity provider is linked. */
export async function hasIdentity(on: Sql, userId: string): Promise<boolean> {
  const rows = await on.run(HAS_IDENTITY, { userId, oidcissuer: env().OIDC_ISSUER ?? "" });
  return rows.length > 0;
}
