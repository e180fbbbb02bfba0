import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";
import { exportOf } from "@/lib/platform/export-of";
import { maxUnits } from "@/lib/platform/max-units";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/page";
import { ListTotal, totalOf } from "@/lib/platform/total-of";

/**
 * Objects whose changes are settings of the account. The text must match the index audit_entries_settings_idx exactly.
 */
const IS_SETTING = "e.object_type in ('account', 'app_clip', 'line', 'contact_card')";

const AccountChange = z.object({
  id: z.uuid(),
  /** `<object>.<verb>`, as in "account.options_changed". */
  action: z.string(),
  object_type: z.string(),
  /** For a line, its phone number. */
  object: z.string().nullable(),
  by: z.object({ type: z.string(), name: z.string().nullable() }),
  detail: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
});

export type AccountChange = z.infer<typeof AccountChange>;

export const ListAccountChanges = contract({
  summary: "List changes of the account's settings",
  tag: "Account",
  right: "view_history",
  query: z.object({ cursor: z.string().check(maxUnits(200)).optional(), limit: limitParameter(100, 50) }),
  returns: z.object({
    changes: z.array(AccountChange),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

type Row = Omit<AccountChange, "created_at"> & { created_at: Date };

const CursorKey = z.tuple([z.uuid()]);

/** The audit trail of the account's options, app clips, lines and contact cards, newest first. Errors: parameter_invalid. */
export async function listAccountChanges(
  ctx: Context,
  { query }: Pick<Input<typeof ListAccountChanges>, "query">,
) {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const rows = await sql.query<Row>({
    name: "list-account-changes",
    text: `select e.id, e.action, e.object_type, e.detail, e.created_at,
             (select l.phone_number from lines l
              where l.account_id = $1 and e.object_type = 'line' and l.id::text = e.object_id) as object,
             jsonb_build_object('type', e.actor_type, 'name', coalesce(
               (select u.name from users u where u.id = e.actor_id),
               (select t.name from api_tokens t where t.account_id = $1 and t.id = e.actor_id))) as by
           from audit_entries e
           where e.account_id = $1 and ${IS_SETTING} and ($2::uuid is null or e.id < $2)
           order by e.id desc limit $3`,
    values: [ctx.account.id, after, query.limit + 1],
  });
  const page = toPage(rows, query.limit, ({ id }) => [id]);
  const changes = page.items.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    rows: {
      text: `select from audit_entries e where e.account_id = $1 and ${IS_SETTING}`,
      values: [ctx.account.id],
    },
  });
  return { changes, next_cursor: page.nextCursor, total };
}

/** The history of an account's settings as CSV. */
export const exportAccountChanges = exportOf(ListAccountChanges, listAccountChanges, {
  summary: "Export changes of the account's settings as CSV",
  filename: "settings-history.csv",
  pageRows: 500,
  itemsOf: (page) => page.changes,
  columns: {
    change_id: ({ id }) => id,
    created_at: ({ created_at }) => created_at,
    action: ({ action }) => action,
    object_type: ({ object_type }) => object_type,
    object: ({ object }) => object,
    by_type: ({ by }) => by.type,
    by_name: ({ by }) => by.name,
    detail: ({ detail }) => JSON.stringify(detail),
  },
});
