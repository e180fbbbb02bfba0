import type pg from "pg";

/** An object of the database that statements of an earlier release may depend on. */
export interface CatalogObject {
  type:
    | "table"
    | "column"
    | "enum value"
    | "function"
    | "index"
    | "constraint"
    | "trigger"
    | "sequence"
    | "view";
  /** Unique within its type, such as `lines.is_up`. */
  name: string;
  /** The table that it belongs to; null where it belongs to none. */
  table: string | null;
  /** Of an index or constraint: its columns. An expression has none. */
  columns: string[];
  /** Of a column: its data type. Of a constraint: its kind (`c`, `f`, `p`, `u` or `x`) and its text. Otherwise its definition. */
  definition: string;
  isUnique: boolean;
  isNotNull: boolean;
  hasDefault: boolean;
}

const OURS = "n.nspname = current_schema() and";
const columnsOf = (table: string, numbers: string) =>
  `array(select a.attname::text from pg_attribute a where a.attrelid = ${table} and a.attnum = any(${numbers}))`;

// Partitions have the columns, indexes and constraints of their table.
const OBJECTS = [
  `select case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'view' else 'table' end as type, c.relname::text as name,
      null as table, '{}'::text[] as columns, '' as definition, false as "isUnique", false as "isNotNull", false as "hasDefault"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} c.relkind in ('r', 'p', 'S', 'v', 'm') and not c.relispartition`,
  `select 'column', c.relname || '.' || a.attname, c.relname, array[a.attname::text], format_type(a.atttypid, a.atttypmod),
      false, a.attnotnull, a.atthasdef or a.attidentity <> ''
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped`,
  `select 'enum value', t.typname || '.' || e.enumlabel, null, '{}', '', false, false, false
    from pg_type t join pg_enum e on e.enumtypid = t.oid join pg_namespace n on n.oid = t.typnamespace where ${OURS} true`,
  `select 'function', p.oid::regprocedure::text, null, '{}', '', false, false, false
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OURS} true`,
  `select 'index', i.indexrelid::regclass::text, c.relname, ${columnsOf("c.oid", "i.indkey")}, pg_get_indexdef(i.indexrelid),
      i.indisunique, false, false
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} not c.relispartition`,
  `select 'constraint', c.relname || '.' || k.conname, c.relname, ${columnsOf("c.oid", "k.conkey")}, k.contype::text || ' ' || pg_get_constraintdef(k.oid),
      k.contype in ('p', 'u', 'x'), false, false
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = k.connamespace
    where ${OURS} not c.relispartition and k.contype <> 'n'`,
  `select 'trigger', c.relname || '.' || t.tgname, c.relname, '{}', '', false, false, false
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} not t.tgisinternal and not c.relispartition`,
];

/** The objects of the current schema except Prisma's own table. */
export async function readObjects(client: pg.ClientBase): Promise<CatalogObject[]> {
  const { rows } = await client.query<CatalogObject>(OBJECTS.join("\nunion all "));
  return rows.filter(({ name, table }) => !`${table} ${name}`.includes("_prisma_migrations"));
}

/**
 * The differences between two schemas with which the statements of a release that was written for the first one fail, in
 * sentences: `drops the column lines.is_up`.
 */
export function findContractions(
  before: readonly CatalogObject[],
  after: readonly CatalogObject[],
): string[] {
  const [was, is] = [byKey(before), byKey(after)];
  const isOld = (type: CatalogObject["type"], name: string) => was.has(`${type} ${name}`);
  const dropped = before
    .filter((object) => !is.has(keyOf(object)) && isNeeded(object, is))
    .map(({ type, name }) => `drops the ${type} ${name}`);
  const changed = after.flatMap((object) => {
    const old = was.get(keyOf(object));
    return old === undefined ? [] : changesOf(old, object);
  });
  const added = after
    .filter((object) => !was.has(keyOf(object)) && object.table !== null && isOld("table", object.table))
    .flatMap((object) => restrictionOf(object, (column) => isOld("column", `${object.table}.${column}`)));
  return [...dropped, ...changed, ...added].sort();
}

const keyOf = ({ type, name }: CatalogObject) => `${type} ${name}`;
const byKey = (objects: readonly CatalogObject[]) =>
  new Map(objects.map((object) => [keyOf(object), object]));

/** Whether statements can depend on a dropped object. What a dropped table contained is named by the table. */
function isNeeded({ type, table, isUnique }: CatalogObject, is: ReadonlyMap<string, CatalogObject>): boolean {
  if (table !== null && !is.has(`table ${table}`)) return false;
  // `on conflict` needs a unique index. Checks, foreign keys and other indexes only refuse or speed up.
  return (type !== "index" && type !== "constraint") || isUnique;
}

function changesOf(old: CatalogObject, now: CatalogObject): string[] {
  if (now.type === "constraint") {
    // A wider one is as harmless as a narrower one is not, and only people can tell.
    return old.definition === now.definition ? [] : [`changes the constraint ${now.name}`];
  }
  if (now.type === "index") {
    return old.isUnique && old.definition !== now.definition ? [`changes the unique index ${now.name}`] : [];
  }
  if (now.type !== "column") return [];
  return [
    ...(old.definition === now.definition ? [] : [`changes the type of ${now.name}`]),
    ...(now.isNotNull && !old.isNotNull ? [`requires a value of ${now.name}`] : []),
    ...(old.hasDefault && !now.hasDefault ? [`drops the default of ${now.name}`] : []),
  ];
}

/** Why statements that do not know an added object of their table can fail. */
function restrictionOf(object: CatalogObject, isOldColumn: (column: string) => boolean): string[] {
  const { type, name, columns, isUnique, isNotNull, hasDefault, definition } = object;
  // The columns of new rows have their defaults, which are checked when the migration runs.
  const isOfOldColumns = columns.length === 0 || columns.some(isOldColumn);
  if (type === "column")
    return isNotNull && !hasDefault ? [`adds the column ${name}, which inserts must name`] : [];
  if (type === "trigger") return [`adds the trigger ${name}`];
  if (type === "index") return isUnique && isOfOldColumns ? [`adds the unique index ${name}`] : [];
  if (type === "constraint" && definition.startsWith("c "))
    return isOfOldColumns ? [`adds the check ${name}`] : [];
  if (type === "constraint" && definition.startsWith("f "))
    return isOfOldColumns ? [`adds the foreign key ${name}`] : [];
  return [];
}
