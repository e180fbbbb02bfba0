import pg from "pg";
import { knownStatements, numbered } from "@/lib/platform/database/statement";
import { startEmbeddedPostgres } from "@/lib/platform/postgres/embedded-postgres";
import { applyMigrations } from "@/lib/platform/postgres/migrate";
import { columnType, importsOf } from "./column-types.ts";
import { describeText, type ResultColumn } from "./describe.ts";
import { AnalyzedQuery, type Catalog } from "./never-null.ts";
import { findNode, parseNodeTree } from "./node-tree.ts";
import { readTypes, type TypesOfDatabase } from "./postgres-types.ts";

/**
 * Describes every known statement on a new database with the migrated schema. Returns the source of
 * statement-types.ts, and one sentence for each statement that PostgreSQL refuses.
 */
export async function describeStatements(folder: string): Promise<{ source: string; faults: string[] }> {
  const server = await startEmbeddedPostgres({ dataDir: folder, settings: { fsync: "off" } });
  try {
    await applyMigrations(server.url);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return await describeAll(client);
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
  }
}

async function describeAll(client: pg.Client): Promise<{ source: string; faults: string[] }> {
  const typesOf = await readDatabase(client);
  const entries: string[] = [];
  const faults: string[] = [];
  const statements = knownStatements().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const [index, { name, source }] of statements.entries()) {
    try {
      if (statements[index - 1]?.name === name) throw new Error("another statement has this name");
      const { parameters, row } = await typesOf(source);
      entries.push(
        `    ${JSON.stringify(name)}: {\n      parameters: ${parameters};\n      row: ${row};\n    };`,
      );
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { source: fileOf(entries), faults };
}

/** The TypeScript types of the parameters and the row of a statement, as source. */
interface StatementSource {
  parameters: string;
  row: string;
}

/** Reads what a database has. Returns a function that types a statement as it is written; it rejects with PostgreSQL's error. */
export async function readDatabase(client: pg.Client): Promise<(source: string) => Promise<StatementSource>> {
  const types = await readTypes(client);
  const catalog = await readCatalog(client);
  return (source) => typesOfStatement(client, source, types, catalog);
}

async function readCatalog(client: pg.Client): Promise<Catalog> {
  const { rows: columns } = await client.query<{ key: string }>(
    // Prisma declares lists without "not null", and every write stores one.
    `select a.attrelid || ':' || a.attnum as key from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attnotnull or t.typcategory = 'A' and a.attrelid in (
       select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  );
  const { rows: functions } = await client.query<{ id: number; name: string; is_strict: boolean }>(
    "select oid::int8::float8 as id, proname as name, proisstrict as is_strict from pg_proc",
  );
  const { rows: operators } = await client.query<{ id: number; name: string; function_id: number }>(
    "select oid::int8::float8 as id, oprname as name, oprcode::oid::int8::float8 as function_id from pg_operator",
  );
  return {
    notNull: new Set(columns.map(({ key }) => key)),
    functions: new Map(functions.map(({ id, name, is_strict }) => [id, { name, isStrict: is_strict }])),
    operators: new Map(operators.map(({ id, name, function_id }) => [id, { name, functionId: function_id }])),
  };
}

async function typesOfStatement(
  client: pg.Client,
  source: string,
  types: TypesOfDatabase,
  catalog: Catalog,
): Promise<StatementSource> {
  const { text, parameters } = numbered(source);
  const { parameterTypes, columns } = await describeText(client, text);
  const neverNull = await findNeverNull(client, text, parameterTypes, columns, types, catalog);
  const marks = marksOf(source);
  const given = parameters.map((parameter, index) => {
    const type = types.parameterType(parameterTypes[index] as number);
    return `${parameter}: ${type} | null | undefined`;
  });
  const row = new Map<string, string>();
  for (const [index, column] of columns.entries()) {
    const origin = types.columnName(column.table, column.column);
    const { nullability, type: marked } = marks.get(column.name) ?? {};
    const exact = marked ?? (origin === undefined ? undefined : columnType(origin));
    const type = exact ?? types.rowType(column.type);
    const isNeverNull = nullability === undefined ? neverNull[index] === true : nullability === "!";
    row.set(
      column.name,
      `${keyOf(column.name)}: ${isNeverNull || type === "unknown" ? type : `${type} | null`}`,
    );
  }
  return { parameters: objectOf(given), row: objectOf([...row.values()]) };
}

/**
 * Which columns are never null. PostgreSQL analyzes the statement as the body of a function that is rolled back, and
 * marks in its tree what an outer join can leave out.
 */
async function findNeverNull(
  client: pg.Client,
  text: string,
  parameterTypes: readonly number[],
  columns: readonly ResultColumn[],
  types: TypesOfDatabase,
  catalog: Catalog,
): Promise<boolean[]> {
  if (columns.length === 0) return [];
  await client.query("begin");
  try {
    const given = parameterTypes.map((type) => types.sqlName(type)).join(", ");
    await client.query(
      `create function pg_temp.described(${given}) returns void language sql begin atomic ${text}; end`,
    );
    const { rows } = await client.query<{ body: string }>(
      "select prosqlbody::text as body from pg_proc where proname = 'described'",
    );
    const query = findNode(parseNodeTree(rows[0]?.body ?? "()"), "QUERY");
    if (query === undefined) throw new Error("PostgreSQL's tree has no query");
    const analyzed = new AnalyzedQuery(query, catalog);
    return columns.map((_, index) => analyzed.isColumnNeverNull(index));
  } finally {
    await client.query("rollback");
  }
}

// A string of SQL is no alias, and neither is a comment.
const ALIAS = /'(?:[^']|'')*'|--[^\n]*|"(\w+)([!?])?(?:: ([^"]*))?"/g;

/** What the aliases of a text say about their columns. */
function marksOf(source: string): Map<string, { nullability?: string; type?: string }> {
  const marks = new Map<string, { nullability?: string; type?: string }>();
  for (const [, alias, nullability, type] of source.matchAll(ALIAS)) {
    if (alias !== undefined) marks.set(alias, { ...(nullability && { nullability }), ...(type && { type }) });
  }
  return marks;
}

function keyOf(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
}

function objectOf(fields: readonly string[]): string {
  return fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
}

function fileOf(entries: readonly string[]): string {
  return `// Generated by npm run statements from the statements and the migrated schema.
${importsOf(entries.join("\n"))}
declare module "@/lib/platform/database/statement" {
  interface StatementTypes {
${entries.join("\n")}
  }
}
`;
}
