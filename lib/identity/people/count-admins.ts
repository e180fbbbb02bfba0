import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

type AdminCounts = RowOf<"count-admins">;

const MAX_ADMINS = 100;

const COUNT_ADMINS = statement(
  "count-admins",
  `select count(*)::int as admins, count(*) filter (where is_secured)::int as secured from (
    select u.password_hash is null or (p.requires_sso and not u.is_operator)
        or (p.admins_need_passkey and exists (select from user_passkeys k where k.user_id = u.id)) as is_secured
    from memberships m join users u on u.id = m.user_id join partners p on p.id = m.partner_id
    where m.partner_id = :partnerId and m.role = 'admin' and u.last_sign_in_at is not null limit ${MAX_ADMINS}
  ) admin`,
);

/** Counts the admins of the account's partner who have signed in, and those whose sign-in has a second factor. */
export async function countAdmins({ account }: Context): Promise<AdminCounts> {
  const [row] = await sql.run(COUNT_ADMINS, { partnerId: account.partnerId });
  return row ?? { admins: 0, secured: 0 };
}
