import "server-only";
import { z } from "zod";
import { actorSql, NamedActor } from "@/lib/identity/audit/actor-sql";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";
import { BlockedHandle } from "@/lib/recipients/blocks/blocked-handle";

const TIMEOUT_MS = 3000;

const BlockedHandleView = BlockedHandle.extend({
  by: NamedActor,
  /** The file that the block was imported from. */
  source_file: z.string().nullable(),
}).meta({ id: "BlockedHandleView" });

export type BlockedHandleView = z.infer<typeof BlockedHandleView>;

/** Filters of the list of blocks. */
const blockConditionFields = {
  /** Part of a handle. Formatting of phone numbers is ignored. */
  search: z.string().trim().check(maxUnits(254)).optional(),
};

export const ListBlockedHandleViews = contract({
  summary: "List blocked handles and who blocked them",
  tag: "Blocked handles",
  right: "view_opt_outs",
  query: z.object({
    ...blockConditionFields,
    cursor: z.string().check(maxUnits(400)).optional(),
    limit: limitParameter(100, 50),
  }),
  returns: z.object({
    blocks: z.array(BlockedHandleView),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

const CursorKey = z.tuple([z.iso.datetime(), z.string()]);

const MATCHING = `from contacts k
  where k.account_id = :accountId and k.blocked_at is not null
    and (:searched = '' or position(:searched in lower(k.handle)) > 0)`;

const LIST_BLOCKED_HANDLE_VIEWS = statement(
  "list-blocked-handle-views",
  `select k.handle, k.blocked_at as "blocked_at!", k.blocked_reason as reason, k.blocked_file as source_file,
    ${actorSql("k.blocked_by_type", "k.blocked_by_id", "k.account_id")} as "by: ActorName"
  ${MATCHING} and (:at::timestamptz is null or k.blocked_at <= :at and (k.blocked_at < :at or k.handle > :handle))
  order by k.blocked_at desc, k.handle limit :limit`,
);

const COUNT_BLOCKED_HANDLE_VIEWS = plannedStatement(
  "count-blocked-handle-views",
  countSql(`select ${MATCHING}`),
);

/** Lists blocked handles, newest first, in pages. Errors: parameter_invalid. */
export async function listBlockedHandleViews(
  ctx: Context,
  { query }: Pick<Input<typeof ListBlockedHandleViews>, "query">,
) {
  const [at, handle] = query.cursor === undefined ? [null, null] : decodeCursor(query.cursor, CursorKey);
  const matching = { accountId: ctx.account.id, searched: searched(query.search ?? "") };
  const select = (db: Sql) =>
    db.run(LIST_BLOCKED_HANDLE_VIEWS, { ...matching, at, handle, limit: query.limit + 1 });
  const rows = query.search ? await boundedSearch(ctx.account.id, TIMEOUT_MS, select) : await select(sql);

  const page = toPage(rows, query.limit, (row) => [row.blocked_at.toISOString(), row.handle]);
  const blocks = page.items.map((row) => ({ ...row, blocked_at: row.blocked_at.toISOString() }));
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    count: (tx) => tx.run(COUNT_BLOCKED_HANDLE_VIEWS, matching),
  });
  return { blocks, next_cursor: page.nextCursor, total };
}

// "(555) 010-0101" finds +15550100101: characters other than letters and digits count as formatting.
function searched(text: string): string {
  return /^[\d\s+().-]+$/.test(text) ? text.replaceAll(/\D/g, "") : text.toLowerCase();
}

/** Blocked handles as CSV. */
export const exportBlockedHandles = exportOf(ListBlockedHandleViews, listBlockedHandleViews, {
  summary: "Export blocked handles as CSV",
  filename: "blocked-handles.csv",
  pageRows: 500,
  itemsOf: (page) => page.blocks,
  columns: {
    handle: ({ handle }) => handle,
    blocked_at: ({ blocked_at }) => blocked_at,
    reason: ({ reason }) => reason,
    by: ({ by }) => by?.name ?? by?.type,
    source_file: ({ source_file }) => source_file,
  },
});
