import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const REMOVE_CREDENTIALS = statement(
  "remove-credentials",
  `with passkeys as (delete from user_passkeys where user_id = :userId),
    links as (delete from sign_in_links where user_id = :userId),
    identities as (delete from user_identities where user_id = :userId and not :isBySso),
    ended as (delete from sessions where user_id = :userId and id is distinct from :sessionId::uuid)
  update users set name = coalesce(:name, name), password_hash = null, last_sign_in_at = null,
    address_proved_at = case when :isBySso then :now::timestamptz end
  where id = :userId`,
);

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
  await tx.run(REMOVE_CREDENTIALS, {
    userId,
    name,
    isBySso: bySso !== undefined,
    sessionId: bySso?.sessionId ?? null,
    now: now(),
  });
  tx.wake("sessions");
}
