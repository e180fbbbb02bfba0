import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";

/**
 * Removes everything with which a person could sign in: password, passkeys, links, accounts at identity providers and
 * sessions. A person who belongs to no partner starts from nothing, because another person may have set these
 * credentials. `name` replaces the person's name; null keeps it. A person who comes by single sign-on (`bySso`) keeps the
 * linked account, which proves the address, and the given session.
 */
export async function startFromNothing(
  tx: Sql,
  userId: string,
  name: string | null,
  bySso?: { sessionId: string | null },
): Promise<void> {
  await tx.query({
    name: "remove-credentials",
    text: `with passkeys as (delete from user_passkeys where user_id = $1),
             links as (delete from sign_in_links where user_id = $1),
             identities as (delete from user_identities where user_id = $1 and not $3),
             ended as (delete from sessions where user_id = $1 and id is distinct from $4::uuid)
           update users set name = coalesce($2, name), password_hash = null, last_sign_in_at = null,
             address_proved_at = case when $3 then $5::timestamptz end
           where id = $1`,
    values: [userId, name, bySso !== undefined, bySso?.sessionId ?? null, now()],
  });
  tx.wake("sessions");
}
