import { sql } from "@/lib/platform/database/db";

/** The rows of a table that are filled: an SQL condition on the table's columns and its values. */
export interface FilledRows {
  where: string;
  values: readonly unknown[];
}

/** The text with which a column was filled: unique for each column and row, so that no unique index refuses it. */
const MARK = /canary:([a-z0-9_]+\.[a-z0-9_]+)/g;

/** SQL: the column with `mark` in it, whatever its type: with what it contained. */
const FILLED: Readonly<Record<string, (column: string, mark: string) => string>> = {
  text: (column, mark) => `concat(${column}, ${mark})`,
  "text[]": (column, mark) => `array_append(${column}, ${mark})`,
  bytea: (_, mark) => `convert_to(${mark}, 'UTF8')`,
  json: (column, mark) => filledJson(`${column}::jsonb`, mark),
  jsonb: filledJson,
};

// Parts of a message are read by their type. Other entries of an array may be anything.
function filledJson(column: string, mark: string): string {
  return `case jsonb_typeof(coalesce(${column}, '{}'))
    when 'array' then ${column} || jsonb_build_object('type', 'text', 'value', ${mark})
    when 'object' then coalesce(${column}, '{}') || jsonb_build_object('canary', ${mark})
    else to_jsonb(${mark}) end`;
}

interface Column {
  name: string;
  type: string;
  /** Of an enumeration. */
  label: string | null;
  is_generated: boolean;
}

function readColumns(table: string): Promise<Column[]> {
  return sql.runText<Column>({
    text: `select attname as name, format_type(atttypid, null) as type, attidentity <> '' or attgenerated <> '' or pg_get_expr(adbin, adrelid) like 'nextval%' as is_generated,
             (select enumlabel from pg_enum where enumtypid = atttypid order by enumsortorder limit 1) as label
           from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
           where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    values: [table],
  });
}

/** Adds the text, by default a canary that names the column, to the column of the rows. Returns their number. */
export async function fillColumn(
  table: string,
  column: string,
  { where, values }: FilledRows,
  text = markOf(table, column),
): Promise<number> {
  const found = (await readColumns(table)).find(({ name }) => name === column);
  const fill = FILLED[found?.type ?? ""];
  if (fill === undefined) throw new Error(`no canary for ${table}.${column} of type ${found?.type}`);
  const rows = await sql.runText({
    text: `update ${table} set ${column} = ${fill(column, `($${values.length + 1}::text || md5(ctid::text))`)}
           where ${where} returning 1`,
    values: [...values, text],
  });
  return rows.length;
}

const markOf = (table: string, column: string) => `canary:${table}.${column}:`;

const EMPTY: Readonly<Record<string, string>> = {
  json: "'{}'",
  jsonb: "'{}'::jsonb",
  "text[]": "'{}'::text[]",
};
const VALUES: Readonly<Record<string, string>> = {
  uuid: "gen_random_uuid()",
  boolean: "false",
  "timestamp with time zone": "statement_timestamp()",
  date: "current_date",
  inet: "'127.0.0.1'",
};

/**
 * Inserts a row of an account whose columns of text, JSON and bytes all contain a canary. Ids are random. `given` are SQL
 * expressions by column.
 */
export async function insertFilled(
  table: string,
  accountId: string,
  given: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = (await readColumns(table)).filter(({ is_generated }) => !is_generated);
  const expressions = columns.map(({ name, type, label }) => {
    if (given[name] !== undefined) return given[name];
    if (name === "account_id") return `'${accountId}'`;
    if (label !== null) return `'${label}'`;
    const fill = FILLED[type];
    if (fill === undefined) return VALUES[type] ?? (type.endsWith("[]") ? "'{}'" : "'1'");
    return fill(EMPTY[type] ?? "''", `'${markOf(table, name)}'::text`);
  });
  await sql.runText({
    text: `insert into ${table} (${columns.map(({ name }) => name).join(", ")}) values (${expressions.join(", ")})`,
  });
}

/** The columns whose canary is anywhere in the database, as `table.column`. */
export async function filledColumns(): Promise<string[]> {
  const tables = await sql.runText<{ name: string }>({
    text: `select quote_ident(relname) as name from pg_class
           where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
  });
  const found = new Set<string>();
  for (const { name } of tables) {
    const rows = await sql.runText<{ text: string }>({
      text: `select t::text as text from ${name} t where t::text like '%canary:%'`,
    });
    for (const { text } of rows) for (const [, column = ""] of text.matchAll(MARK)) found.add(column);
  }
  return [...found].sort();
}
