import "server-only";
import { z } from "zod";
import { actorSql, NamedActor } from "@/lib/identity/audit/actor-sql";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql } from "@/lib/platform/database/db";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";
import { BlockedHandle } from "@/lib/recipients/blocks/blocked-handle";

const TIMEOUT_MS = 3000;

const Block = BlockedHandle.extend({
  by: NamedActor,
  /** The file that the block was imported from. */
  source_file: z.string().nullable(),
}).meta({ id: "Block" });

export type Block = z.infer<typeof Block>;

/** Filters of the list of blocks. */
const blockConditionFields = {
  /** Part of a handle. Formatting of phone numbers is ignored. */
  search: z.string().trim().check(maxUnits(254)).optional(),
};

export const ListBlocks = contract({
  summary: "List blocked handles and who blocked them",
  tag: "Blocked handles",
  right: "view_opt_outs",
  query: z.object({
    ...blockConditionFields,
    cursor: z.string().check(maxUnits(400)).optional(),
    limit: limitParameter(100, 50),
  }),
  returns: z.object({ blocks: z.array(Block), next_cursor: z.string().nullable(), total: ListTotal }),
  status: 200,
  errors: ["parameter_invalid"],
});

const CursorKey = z.tuple([z.iso.datetime(), z.string()]);

const MATCHING = `from contacts k
  where k.account_id = $1 and k.blocked_at is not null and ($2 = '' or position($2 in lower(k.handle)) > 0)`;

type BlockRow = Omit<Block, "blocked_at"> & { blocked_at: Date };

/** Lists blocked handles, newest first, in pages. Errors: parameter_invalid. */
export async function listBlocks(ctx: Context, { query }: Pick<Input<typeof ListBlocks>, "query">) {
  const [at, handle] = query.cursor === undefined ? [null, null] : decodeCursor(query.cursor, CursorKey);
  const values = [ctx.account.id, searched(query.search ?? "")];
  const select = (db: Sql) =>
    db.query<BlockRow>({
      name: "list-blocks",
      text: `select k.handle, k.blocked_at, k.blocked_reason as reason, k.blocked_file as source_file,
             ${actorSql("k.blocked_by_type", "k.blocked_by_id", "k.account_id")} as by
           ${MATCHING}
             and ($3::timestamptz is null or k.blocked_at <= $3 and (k.blocked_at < $3 or k.handle > $4))
           order by k.blocked_at desc, k.handle limit $5`,
      values: [...values, at, handle, query.limit + 1],
    });
  const rows = query.search ? await boundedSearch(ctx.account.id, TIMEOUT_MS, select) : await select(sql);

  const page = toPage(rows, query.limit, (row) => [row.blocked_at.toISOString(), row.handle]);
  const blocks = page.items.map((row) => ({ ...row, blocked_at: row.blocked_at.toISOString() }));
  const total = await totalOf(ctx, page, {
    cursor: query.cursor,
    rows: { text: `select ${MATCHING}`, values },
  });
  return { blocks, next_cursor: page.nextCursor, total };
}

// "(555) 010-0101" finds +15550100101: characters other than letters and digits count as formatting.
function searched(text: string): string {
  return /^[\d\s+().-]+$/.test(text) ? text.replaceAll(/\D/g, "") : text.toLowerCase();
}

/** Blocked handles as CSV. */
export const exportBlocks = exportOf(ListBlocks, listBlocks, {
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
