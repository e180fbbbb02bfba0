import "server-only";
import { z } from "zod";
import { mayChangeCredentials } from "@/lib/identity/sign-in/require-power";
import { Person } from "@/lib/identity/users/person";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf, statement } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";

export const ListPeople = contract({
  summary: "List the partner's team members",
  tag: "People",
  right: "manage_people",
  query: z.object({ cursor: z.string().check(maxUnits(200)).optional(), limit: limitParameter(100, 50) }),
  returns: z.object({ people: z.array(Person), next_cursor: z.string().nullable(), total: ListTotal }),
  status: 200,
  errors: ["access_denied", "parameter_invalid"],
  extension: true,
});

type Row = RowOf<"list-people">;

const CursorKey = z.tuple([z.uuid()]);

const MEMBERS = `select u.id, u.email, u.name, m.role, m.from_group, m.created_at as joined_at, u.last_sign_in_at,
    u.password_hash is null and u.last_sign_in_at is null as is_invited,
    exists (select from user_passkeys where user_id = u.id) as has_passkey,
    exists (select from memberships o where o.user_id = u.id and o.partner_id <> :partnerId) as is_shared, u.is_operator,
    null::timestamptz as expires_at, false as mail_failed
  from memberships m join users u on u.id = m.user_id
  where m.partner_id = :partnerId and (:after::uuid is null or m.user_id > :after)
  order by m.user_id limit :limit`;

// Only what the partner typed, whether or not a user has the address.
const INVITED = `select i.id, i.email, i.name, i.role, false, i.created_at, null, true, false, false, false, i.expires_at,
    exists (select from outgoing_mails o where o.id = i.mail_id and o.due_at is null and o.sent_at is null)
  from invitations i
  where i.partner_id = :partnerId and (:after::uuid is null or i.id > :after)
  order by i.id limit :limit`;

const LIST_PEOPLE = statement("list-people", `(${MEMBERS}) union all (${INVITED}) order by id limit :limit`);

const COUNT_PEOPLE = plannedStatement(
  "count-people",
  countSql(`select from (select from memberships where partner_id = :partnerId
    union all select from invitations where partner_id = :partnerId) people`),
);

/** The people of the account's partner, oldest first, also those who have not accepted. Errors: parameter_invalid. */
export async function listPeople(ctx: Context, { query }: Pick<Input<typeof ListPeople>, "query">) {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const rows = await sql.run(LIST_PEOPLE, {
    partnerId: ctx.account.partnerId,
    after,
    limit: query.limit + 1,
  });
  const page = toPage(rows, query.limit, ({ id }) => [id]);
  const people = page.items.map((row) => toPerson(ctx, row));
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    count: (tx) => tx.run(COUNT_PEOPLE, { partnerId: ctx.account.partnerId }),
  });
  return { people, next_cursor: page.nextCursor, total };
}

function toPerson({ actor, now }: Context, row: Row): Person {
  const { id, email, name, role, is_invited, has_passkey, from_group, expires_at: expiresAt } = row;
  return {
    id,
    email,
    name,
    role,
    is_invited,
    has_passkey,
    from_group,
    joined_at: row.joined_at.toISOString(),
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
    invitation: expiresAt && {
      expires_at: expiresAt.toISOString(),
      is_expired: expiresAt <= now,
      mail_failed: row.mail_failed,
    },
    can_reset:
      expiresAt === null &&
      mayChangeCredentials(actor, { isShared: row.is_shared, isOperator: row.is_operator }),
  };
}

/** The people of a partner as CSV. */
export const exportPeople = exportOf(ListPeople, listPeople, {
  summary: "Export the partner's team members as CSV",
  filename: "people.csv",
  pageRows: 500,
  itemsOf: (page) => page.people,
  columns: {
    user_id: ({ id }) => id,
    name: ({ name }) => name,
    email: ({ email }) => email,
    role: ({ role }) => role,
    joined_at: ({ joined_at }) => joined_at,
    last_sign_in_at: ({ last_sign_in_at }) => last_sign_in_at,
    is_invited: ({ is_invited }) => String(is_invited),
    has_passkey: ({ has_passkey }) => String(has_passkey),
    from_group: ({ from_group }) => String(from_group),
  },
});
