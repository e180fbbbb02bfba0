import "server-only";
import { failWithoutPasskey } from "@/lib/identity/sessions/require-fresh-proof";
import type { UserActor } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";

/** Whether a partner of the person requires a passkey in the person's role. */
export async function needsPasskey(on: Sql, userId: string): Promise<boolean> {
  const [row] = await on.query({
    name: "needs-passkey",
    text: `select 1 from memberships m join partners p on p.id = m.partner_id
           where m.user_id = $1 and m.role = 'admin' and p.admins_need_passkey limit 1`,
    values: [userId],
  });
  return row !== undefined;
}

/**
 * Where a person needs a passkey, the password alone must not change the passkeys, because it could then replace them.
 * The first passkey is added with the password. Errors: proof_required.
 */
export async function requirePasskeySession(on: Sql, actor: UserActor): Promise<void> {
  if (actor.hasPasswordOnly !== true || !(await needsPasskey(on, actor.userId))) return;
  const [existing] = await on.query({
    name: "any-passkey-of-user",
    text: "select 1 from user_passkeys where user_id = $1 limit 1",
    values: [actor.userId],
  });
  if (existing !== undefined) failWithoutPasskey();
}
