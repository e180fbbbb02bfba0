import "server-only";
import { type Sql, sql } from "@/lib/platform/database/db";
import type { ExportedTable } from "@/lib/privacy/export/exported-tables";

const PAGE_ROWS = 200;

/** The rows of an archive: those of an account, or of the person with a handle in it. */
export interface ExportScope {
  accountId: string;
  handle: string | null;
}

type Row = Readonly<Record<string, unknown>>;

/** Reads the rows of a table for an archive, in pages by its key. Only one page is in memory. */
export async function* readRows(
  scope: ExportScope,
  table: ExportedTable,
  on: Sql = sql,
): AsyncGenerator<readonly Row[]> {
  let after: string[] | null = null;
  for (;;) {
    const rows: PageRow[] = await readPage(on, scope, table, after);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.key;
  }
}

interface PageRow {
  row: Row;
  key: string[];
}

function readPage(
  on: Sql,
  { accountId, handle }: ExportScope,
  { table, key, hidden = [], ofPerson, ofAccount = "t.account_id = $1" }: ExportedTable,
  after: readonly string[] | null,
): Promise<PageRow[]> {
  if (handle !== null && ofPerson === undefined) throw new Error(`${table} has no rows of a person`);
  const columns = key.map(([column]) => `t.${column}`).join(", ");
  const values = key.map(([, type], index) => `($2::text[])[${index + 1}]::${type}`).join(", ");
  const isAfter =
    key.length === 0 ? "$2::text[] is null" : `($2::text[] is null or (${columns}) > (${values}))`;
  return on.runText<PageRow>({
    text: `select to_jsonb(t) - array[${hidden.map((column) => `'${column}'`).join(", ")}]::text[] as row,
             array[${key.map(([column]) => `t.${column}::text`).join(", ")}]::text[] as key
           from ${table} t
           where ${ofAccount} and ${isAfter} and (${handle === null ? "true" : ofPerson})
           ${columns === "" ? "" : `order by ${columns}`} limit ${PAGE_ROWS}`,
    values: handle === null ? [accountId, after] : [accountId, after, handle],
  });
}
