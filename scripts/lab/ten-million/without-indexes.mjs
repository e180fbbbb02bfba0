const MEMORY = "256MB";

/**
 * Runs `work` while these tables have no indexes, primary keys or foreign keys, so that many rows can be added quickly.
 * Then creates all of them again from their definitions in PostgreSQL's catalog. Throws if the catalog differs
 * afterwards.
 */
export async function withoutIndexes(database, tables, { report }, work) {
  const before = await readDefinitions(database, tables);
  for (const { table, name } of before.foreignKeys) {
    await database.query(`alter table ${table} drop constraint ${name}`);
  }
  for (const { table, name } of before.keys) {
    await database.query(`alter table ${table} drop constraint ${name}`);
  }
  for (const { name } of before.indexes) await database.query(`drop index ${name}`);

  await work();

  await database.query(`set maintenance_work_mem = '${MEMORY}'`);
  const from = performance.now();
  // "ON ONLY" of a partitioned table would leave its partitions without the index.
  for (const { definition } of before.indexes) await database.query(definition.replace(" ON ONLY ", " ON "));
  for (const { table, name, definition } of [...before.keys, ...before.foreignKeys]) {
    await database.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  report(
    `  ${before.indexes.length} indexes and ${before.keys.length} keys created in ${((performance.now() - from) / 1000).toFixed(1)} s`,
  );
  const after = await readDefinitions(database, tables);
  if (JSON.stringify(after) !== JSON.stringify(before)) throw new Error("the indexes are not as before");
}

async function readDefinitions(database, tables) {
  const constraints = await database.query(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, contype as type,
       pg_get_constraintdef(oid) as definition
     from pg_constraint
     where (conrelid = any($1::regclass[]) and contype in ('p', 'u', 'f'))
       or (confrelid = any($1::regclass[]) and contype = 'f')
     order by 1, 2`,
    [tables],
  );
  const indexes = await database.query(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index i where indrelid = any($1::regclass[]) and not exists (
       select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
     order by 1`,
    [tables],
  );
  return {
    foreignKeys: constraints.filter(({ type }) => type === "f"),
    keys: constraints.filter(({ type }) => type !== "f"),
    indexes,
  };
}
