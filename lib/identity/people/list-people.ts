import "server-only";
import { z } from "zod";
import { mayChangeCredentials } from "@/lib/identity/sign-in/require-power";
import { Person } from "@/lib/identity/users/person";
import type { Context, Role } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { ListTotal, totalOf } from "@/lib/platform/lists/total-of";
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

interface Row {
  id: string;
  email: string;
  name: string;
  role: Role;
  joined_at: Date;
  last_sign_in_at: Date | null;
  is_invited: boolean;
  has_passkey: boolean;
  from_group: boolean;
  is_shared: boolean;
  is_operator: boolean;
  /** null for a member. */
  expires_at: Date | null;
  mail_failed: boolean;
}

const CursorKey = z.tuple([z.uuid()]);

const MEMBERS = `select u.id, u.email, u.name, m.role, m.from_group, m.created_at as joined_at, u.last_sign_in_at,
    u.password_hash is null and u.last_sign_in_at is null as is_invited,
    exists (select from user_passkeys where user_id = u.id) as has_passkey,
    exists (select from memberships o where o.user_id = u.id and o.partner_id <> $1) as is_shared, u.is_operator,
    null::timestamptz as expires_at, false as mail_failed
  from memberships m join users u on u.id = m.user_id
  where m.partner_id = $1 and ($2::uuid is null or m.user_id > $2)
  order by m.user_id limit $3`;

// Only what the partner typed, whether or not a user has the address.
const INVITED = `select i.id, i.email, i.name, i.role, false, i.created_at, null, true, false, false, false, i.expires_at,
    exists (select from outgoing_mails o where o.id = i.mail_id and o.due_at is null and o.sent_at is null)
  from invitations i
  where i.partner_id = $1 and ($2::uuid is null or i.id > $2)
  order by i.id limit $3`;

/** The people of the account's partner, oldest first, also those who have not accepted. Errors: parameter_invalid. */
export async function listPeople(ctx: Context, { query }: Pick<Input<typeof ListPeople>, "query">) {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const rows = await sql.query<Row>({
    name: "list-people",
    text: `(${MEMBERS}) union all (${INVITED}) order by id limit $3`,
    values: [ctx.account.partnerId, after, query.limit + 1],
  });
  const page = toPage(rows, query.limit, ({ id }) => [id]);
  const people = page.items.map((row) => toPerson(ctx, row));
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    rows: {
      text: `select from (select from memberships where partner_id = $1
               union all select from invitations where partner_id = $1) people`,
      values: [ctx.account.partnerId],
    },
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
