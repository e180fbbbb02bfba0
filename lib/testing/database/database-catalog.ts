import pg from "pg";

const OURS = "n.nspname = current_schema()";

// One query for each type of database object. Column numbers skip dropped columns.
const CATALOG = [
  `select format('column %s.%s %s %s %s %s', c.relname, a.attname,
      row_number() over (partition by c.oid order by a.attnum), format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, pg_get_expr(d.adbin, d.adrelid)) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${OURS} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  `select format('table %s %s %s', c.relname, c.relkind, c.reloptions)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind in ('r', 'p')`,
  `select format('index %s', pg_get_indexdef(i.indexrelid)) from pg_index i
    join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  `select format('constraint %s on %s: %s %s', k.conname, k.conrelid::regclass, pg_get_constraintdef(k.oid), k.convalidated)
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace where ${OURS}`,
  `select format('function %s', pg_get_functiondef(p.oid))
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OURS}`,
  `select format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled) from pg_trigger t
    join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS} and not t.tgisinternal`,
  `select format('enum %s: %s', t.typname, string_agg(e.enumlabel, ', ' order by e.enumsortorder)) from pg_type t
    join pg_enum e on e.enumtypid = t.oid join pg_namespace n on n.oid = t.typnamespace where ${OURS} group by t.typname`,
  `select format('sequence %s %s %s %s %s %s, owned by %s.%s', c.relname, format_type(s.seqtypid, null), s.seqstart,
      s.seqincrement, s.seqmax, s.seqcache, o.relname, a.attname)
    from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    left join pg_class o on o.oid = d.refobjid left join pg_attribute a on a.attrelid = o.oid and a.attnum = d.refobjsubid
    where ${OURS}`,
];

/** Returns everything in the database at `url` except rows and Prisma's migration tables, as sorted lines. */
export async function readCatalog(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(CATALOG.join("\nunion all "));
    return rows
      .map((row) => row.line)
      .filter((line) => !line.includes("_prisma_migrations"))
      .sort();
  } finally {
    await client.end();
  }
}
