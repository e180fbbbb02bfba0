import type pg from "pg";

/** An index that is created by a migration of its own. */
export interface IndexBuild {
  name: string;
  table: string;
  /** The statement that creates it while others write into the table. */
  sql: string;
}

const COMMENT = /--.*$/gm;
const CREATE_INDEX = /^create\s+(?:unique\s+)?index\s+"?(\w+)"?\s+on\s+"?(\w+)"?[^;]*;?$/i;

const FIND_TABLE = `select c.relkind = 'r' and pg_relation_size(c.oid) > 0 as "isFilled"
  from pg_class c where c.oid = to_regclass(quote_ident($1))`;

const FIND_INDEX = `select i.indisvalid as "isValid" from pg_index i
  where i.indexrelid = to_regclass(quote_ident($1)) and i.indrelid = to_regclass(quote_ident($2))`;

/**
 * The index that a migration creates, if nothing else stands in it and its table has rows. null for any other migration,
 * which runs in a transaction: one of a partitioned table, whose indexes PostgreSQL can't build concurrently, too.
 */
export async function findIndexBuild(client: pg.Client, sql: string): Promise<IndexBuild | null> {
  const code = sql.replaceAll(COMMENT, "").trim();
  const [, name, table] = CREATE_INDEX.exec(code) ?? [];
  if (name === undefined || table === undefined) return null;
  const { rows } = await client.query(FIND_TABLE, [table]);
  if (rows[0]?.isFilled !== true) return null;
  return { name, table, sql: code.replace(/\bindex\b/i, "index concurrently") };
}

/**
 * Builds an index outside a transaction, while others read and write its table. Waits for the transactions that began before,
 * without making others wait. What an interrupted build left is dropped first. Does nothing when the index is there.
 */
export async function buildIndex(client: pg.Client, { name, table, sql }: IndexBuild): Promise<void> {
  await client.query("set lock_timeout = 0");
  const { rows } = await client.query(FIND_INDEX, [name, table]);
  if (rows[0]?.isValid === true) return;
  if (rows.length > 0) await client.query(`drop index concurrently "${name}"`);
  await client.query(sql);
}
