import { statfsSync } from "node:fs";

/** PostgreSQL's log of changes, sorts of index builds, and the small databases. */
const FIXED_BYTES = 2 * 2 ** 30;
/** The largest table is sorted for its largest index, and the measurements add rows. */
const MARGIN = 1.2;

/** The bytes of a row of each filled table with its indexes, measured in a database with these counts. */
export async function measureRows(database, counts) {
  const tables = Object.keys(counts);
  const rows = await database.query(
    `select name, coalesce(
         (select sum(pg_total_relation_size(relid)) from pg_partition_tree(name::regclass)),
         pg_total_relation_size(name::regclass))::float8 as bytes
       from unnest($1::text[]) name`,
    [tables],
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes / counts[name]]));
}

/** The bytes of disk that a fill with these counts needs, from the bytes per row of each table. */
export function requiredBytes(bytesPerRow, counts) {
  const filled = Object.entries(counts).reduce((sum, [table, count]) => sum + count * bytesPerRow[table], 0);
  return Math.round(filled * MARGIN + FIXED_BYTES);
}

/** The bytes that are free for this user on the disk of a folder. */
export function freeBytes(folder) {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
