import "server-only";
import { failWithoutPasskey } from "@/lib/identity/sessions/require-fresh-proof";
import type { UserActor } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const NEEDS_PASSKEY = statement(
  "needs-passkey",
  `select 1 from memberships m join partners p on p.id = m.partner_id
  where m.user_id = :userId and m.role = 'admin' and p.admins_need_passkey limit 1`,
);

/** Whether a partner of the person requires a passkey in the person's role. */
export async function needsPasskey(on: Sql, userId: string): Promise<boolean> {
  const [row] = await on.run(NEEDS_PASSKEY, { userId });
  return row !== undefined;
}

const ANY_PASSKEY_OF_USER = statement(
  "any-passkey-of-user",
  "select 1 from user_passkeys where user_id = :userId limit 1",
);

/**
 * Where a person needs a passkey, the password alone must not change the passkeys, because it could then replace them.
 * The first passkey is added with the password. Errors: proof_required.
 */
export async function requirePasskeySession(on: Sql, actor: UserActor): Promise<void> {
  if (actor.hasPasswordOnly !== true || !(await needsPasskey(on, actor.userId))) return;
  const [existing] = await on.run(ANY_PASSKEY_OF_USER, { userId: actor.userId });
  if (existing !== undefined) failWithoutPasskey();
}
