import "server-only";
import { z } from "zod";
import { ACCOUNT_COLUMNS, Account, type AccountRow, toAccount } from "@/lib/identity/accounts/account";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { exportOf } from "@/lib/platform/lists/export-of";
import { cursorParameter, decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { ListTotal, totalOf } from "@/lib/platform/lists/total-of";

export const ListAccounts = contract({
  summary: "List the partner's accounts",
  tag: "Accounts",
  right: "manage_accounts",
  query: z.object({
    status: z.enum(["active", "archived"]).optional(),
    cursor: cursorParameter,
    limit: limitParameter(100, 50),
  }),
  returns: z.object({
    accounts: z.array(Account),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["access_denied", "parameter_invalid"],
  extension: true,
});

const CursorKey = z.tuple([z.string()]);

const FOUND = "partner_id = $1 and ($2::boolean is null or (archived_at is not null) = $2)";

/** The accounts of the caller's partner by name, which is unique within the partner. Errors: parameter_invalid. */
export async function listAccounts(ctx: Context, { query }: Pick<Input<typeof ListAccounts>, "query">) {
  const { partnerId } = ctx.account;
  const isArchived = query.status === undefined ? null : query.status === "archived";
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const rows = await sql.query<AccountRow>({
    name: "list-accounts",
    text: `select ${ACCOUNT_COLUMNS} from accounts
           where ${FOUND} and ($3::text is null or name > $3) order by name limit $4`,
    values: [partnerId, isArchived, after, query.limit + 1],
  });
  const page = toPage(rows, query.limit, ({ name }) => [name]);
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    rows: { text: `select from accounts where ${FOUND}`, values: [partnerId, isArchived] },
  });
  return { accounts: page.items.map((row) => toAccount(row, ctx.now)), next_cursor: page.nextCursor, total };
}

/** The accounts of a partner as CSV. */
export const exportAccounts = exportOf(ListAccounts, listAccounts, {
  summary: "Export the partner's accounts as CSV",
  filename: "accounts.csv",
  pageRows: 500,
  itemsOf: (page) => page.accounts,
  columns: {
    account_id: ({ id }) => id,
    name: ({ name }) => name,
    type: ({ type }) => type,
    created_at: ({ created_at }) => created_at,
    expires_at: ({ expires_at }) => expires_at,
    archived_at: ({ archived_at }) => archived_at,
  },
});
