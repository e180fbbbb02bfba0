import "server-only";
import { z } from "zod";
import { ACCOUNT_COLUMNS, Account, toAccount } from "@/lib/identity/accounts/account";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { exportOf } from "@/lib/platform/lists/export-of";
import { cursorParameter, decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";

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

/** SQL: the accounts of a partner that are archived, that are not, or both (null). */
const MATCHING =
  "partner_id = :partnerId and (:isArchived::boolean is null or (archived_at is not null) = :isArchived)";

const LIST_ACCOUNTS = statement(
  "list-accounts",
  `select ${ACCOUNT_COLUMNS} from accounts
  where ${MATCHING} and (:after::text is null or name > :after)
  order by name limit :limit`,
);

const COUNT_ACCOUNTS = plannedStatement("count-accounts", countSql(`select from accounts where ${MATCHING}`));

/** The accounts of the caller's partner by name, which is unique within the partner. Errors: parameter_invalid. */
export async function listAccounts(ctx: Context, { query }: Pick<Input<typeof ListAccounts>, "query">) {
  const { partnerId } = ctx.account;
  const isArchived = query.status === undefined ? null : query.status === "archived";
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, CursorKey)[0];
  const rows = await sql.run(LIST_ACCOUNTS, { partnerId, isArchived, after, limit: query.limit + 1 });
  const page = toPage(rows, query.limit, ({ name }) => [name]);
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    count: (tx) => tx.run(COUNT_ACCOUNTS, { partnerId, isArchived }),
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
