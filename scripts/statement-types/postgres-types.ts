import type pg from "pg";

/** The TypeScript types of a database's types. */
export interface TypesOfDatabase {
  /** The type of a value in a row, as the driver reads it. */
  rowType(id: number): string;
  /** The type of a parameter that the driver can send. */
  parameterType(id: number): string;
  /** The type's name in SQL. */
  sqlName(id: number): string;
  /** `table.column`; undefined for an expression. */
  columnName(table: number, column: number): string | undefined;
}

interface TypePair {
  row: string;
  parameter: string;
}

/** How the driver reads each type, and what it takes as a parameter. All others are text in both directions. */
const TYPES: Readonly<Record<string, TypePair>> = {
  bool: { row: "boolean", parameter: "boolean" },
  int2: { row: "number", parameter: "number" },
  int4: { row: "number", parameter: "number" },
  oid: { row: "number", parameter: "number" },
  float4: { row: "number", parameter: "number" },
  float8: { row: "number", parameter: "number" },
  int8: { row: "string", parameter: "string | number | bigint" },
  numeric: { row: "string", parameter: "string | number" },
  date: { row: "Date", parameter: "string | Date" },
  timestamp: { row: "Date", parameter: "string | Date" },
  timestamptz: { row: "Date", parameter: "string | Date" },
  bytea: { row: "Buffer<ArrayBuffer>", parameter: "Uint8Array" },
  // An array would be sent as an array of PostgreSQL, so JSON is written before.
  json: { row: "unknown", parameter: "string" },
  jsonb: { row: "unknown", parameter: "string" },
};
const TEXT: TypePair = { row: "string", parameter: "string" };

interface TypeRow {
  id: number;
  sql_name: string;
  name: string;
  element: string | null;
  labels: string[] | null;
  element_labels: string[] | null;
}

const SELECT_TYPES = `select t.oid::int8::float8 as id, format_type(t.oid, null) as sql_name, t.typname as name,
    case when t.typcategory = 'A' then e.typname end as element,
    (select array_agg(l.enumlabel::text order by l.enumsortorder) from pg_enum l where l.enumtypid = t.oid) as labels,
    (select array_agg(l.enumlabel::text order by l.enumsortorder) from pg_enum l where l.enumtypid = e.oid)
      as element_labels
  from pg_type t left join pg_type e on e.oid = t.typelem`;

const SELECT_COLUMNS = `select a.attrelid || ':' || a.attnum as key, c.relname || '.' || a.attname as name
  from pg_attribute a join pg_class c on c.oid = a.attrelid where a.attnum > 0`;

/** Reads the types of a database. */
export async function readTypes(client: pg.Client): Promise<TypesOfDatabase> {
  const { rows } = await client.query<TypeRow>(SELECT_TYPES);
  const { rows: columns } = await client.query<{ key: string; name: string }>(SELECT_COLUMNS);
  const types = new Map(rows.map((row) => [row.id, { ...pairOf(row), sqlName: row.sql_name }]));
  const names = new Map(columns.map(({ key, name }) => [key, name]));
  return {
    rowType: (id) => (types.get(id) ?? TEXT).row,
    parameterType: (id) => (types.get(id) ?? TEXT).parameter,
    sqlName: (id) => types.get(id)?.sqlName ?? "text",
    columnName: (table, column) => names.get(`${table}:${column}`),
  };
}

function pairOf({ name, element, labels, element_labels }: TypeRow): TypePair {
  if (element === null) return plainPair(name, labels);
  // The driver knows no array of an enum, and leaves it as text.
  if (element_labels !== null) return { row: "string", parameter: `readonly (${unionOf(element_labels)})[]` };
  const { row, parameter } = plainPair(element, null);
  // An element can be null, which no statement here uses.
  return { row: `${row}[]`, parameter: `readonly (${parameter} | null)[]` };
}

function plainPair(name: string, labels: string[] | null): TypePair {
  if (labels === null) return TYPES[name] ?? TEXT;
  return { row: unionOf(labels), parameter: unionOf(labels) };
}

function unionOf(labels: readonly string[]): string {
  return labels.map((label) => JSON.stringify(label)).join(" | ");
}
