import { readFileSync } from "node:fs";
import type { Sql } from "@/lib/platform/database/db";

/**
 * How Citus would store a table. Distributed: its rows are on the node of their account. Reference: on every node.
 * Local: on the coordinator.
 */
export type Distribution = "distributed" | "reference" | "local";

/** Something in a schema that Citus rejects, or that has another meaning on several nodes. */
export interface DistributionFault {
  /** The table, column, constraint, index or trigger. */
  name: string;
  fault: string;
}

const SECTIONS: Readonly<Record<string, Distribution>> = {
  "Distributed tables": "distributed",
  "Reference tables": "reference",
  "Local tables": "local",
};

/** Returns the tables as docs/schema.md lists them, in its order. A table that is listed twice appears twice. */
export function readListedTables(): [table: string, distribution: Distribution][] {
  const sections = readFileSync("docs/schema.md", "utf8").split(/\n##+ /);
  return Object.entries(SECTIONS).flatMap(([title, distribution]) => {
    const [, ...lines] = sections.find((text) => text.startsWith(title))?.split("\n") ?? [];
    const rows = lines.filter((line) => /^(\||`)/.test(line));
    return rows.flatMap((line) =>
      tablesIn(line).map((table): [string, Distribution] => [table, distribution]),
    );
  });
}

/** The first cell of a table's row, or every name of a paragraph. */
function tablesIn(line: string): string[] {
  const text = line.startsWith("|") ? (line.split("|")[1] ?? "") : line;
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}

// The rules are those of Citus 13: create_distributed_table, and its checks of constraints, triggers and sequences.
const FAULTS = `
  with listed as (
    select * from unnest($1::text[], $2::text[]) as l(name, type)
  ), relation as (
    select c.oid, c.relname, c.relispartition, coalesce(l.type, '') as type
    from pg_class c left join listed l on l.name = c.relname
    -- Citus distributes a partition with its table.
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  ), account as (
    select a.attrelid, a.attnum, a.atttypid::regtype::text as type, a.attnotnull, a.attgenerated
    from pg_attribute a where a.attname = 'account_id' and a.attnum > 0 and not a.attisdropped
  )
  select relname as name, 'is not listed' as fault from relation where type = ''
  union all
  select l.name, 'does not exist' from listed l where not exists (select from relation r where r.relname = l.name)
  union all
  select r.relname, 'has no account_id uuid not null' from relation r
  where r.type = 'distributed' and not exists (
    select from account a where a.attrelid = r.oid and a.type = 'uuid' and a.attnotnull and a.attgenerated = '')
  union all
  select r.relname, 'has no primary key' from relation r
  where r.type <> '' and not exists (select from pg_index i where i.indrelid = r.oid and i.indisprimary)
  union all
  select i.indexrelid::regclass::text, 'is unique without account_id'
  from relation r join pg_index i on i.indrelid = r.oid
  where r.type = 'distributed' and (i.indisunique or i.indisexclusion) and not exists (
    select from account a where a.attrelid = r.oid
      and a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1]))
  union all
  select k.conname, case
      when own.type = 'local' then 'leads from a local to a distributed table'
      when own.type = 'reference' then 'leads from a reference to a distributed table'
      else 'does not have account_id in the same place on both sides' end
  from pg_constraint k join relation own on own.oid = k.conrelid join relation other on other.oid = k.confrelid
  where k.contype = 'f' and other.type = 'distributed' and (own.type <> 'distributed' or not exists (
    select from account a join account b on b.attrelid = other.oid
    where a.attrelid = own.oid and array_position(k.conkey, a.attnum) = array_position(k.confkey, b.attnum)))
  union all
  select k.conname, 'leads from a ' || own.type || ' to a local table'
  from pg_constraint k join relation own on own.oid = k.conrelid join relation other on other.oid = k.confrelid
  where k.contype = 'f' and other.type = 'local' and own.type in ('distributed', 'reference')
  union all
  select k.conname, 'changes account_id when the other row is updated or deleted'
  from pg_constraint k join relation own on own.oid = k.conrelid join account a on a.attrelid = own.oid
  where k.contype = 'f' and own.type = 'distributed' and a.attnum = any(k.conkey)
    and (k.confupdtype in ('c', 'n', 'd') or k.confdeltype in ('n', 'd'))
  union all
  select t.tgname, 'is a trigger' from pg_trigger t join relation r on r.oid = t.tgrelid
  where r.type in ('distributed', 'reference') and not t.tgisinternal and t.tgparentid = 0
  union all
  select w.rulename, 'is a rule' from pg_rewrite w join relation r on r.oid = w.ev_class
  where r.type in ('distributed', 'reference')
  union all
  select r.relname, 'inherits from a table' from pg_inherits i join relation r on r.oid = i.inhrelid
  where r.type in ('distributed', 'reference') and not r.relispartition
  union all
  select r.relname || '.' || a.attname, case
      when a.attidentity = '' and d.text !~ 'nextval\\(' then 'has a default of one node'
      when a.atttypid <> 'bigint'::regtype then 'is numbered with less than a bigint'
      else 'is numbered by each node' end
  from relation r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  left join lateral (
    -- Without the precision of a type, as in timestamp(3), a name before a parenthesis is a function.
    select regexp_replace(pg_get_expr(f.adbin, f.adrelid), '::[a-z ]+\\(\\d+(,\\d+)?\\)', '', 'g') as text
    from pg_attrdef f where f.adrelid = r.oid and f.adnum = a.attnum
  ) d on true
  where r.type = 'distributed' and (a.attidentity <> '' or (a.attgenerated = '' and d.text ~ '\\w\\('))`;

/** Reads the catalog and returns what does not fit the tables' distributions, ordered by name. */
export async function findDistributionFaults(
  on: Sql,
  tables: readonly (readonly [table: string, distribution: Distribution])[],
): Promise<DistributionFault[]> {
  return on.runText<DistributionFault>({
    text: `select name::text collate "C" as name, fault from (${FAULTS}) f order by 1, 2`,
    values: [tables.map(([name]) => name), tables.map(([, distribution]) => distribution)],
  });
}
