import "server-only";

/**
 * SQL: the vendor account behind a connection of a line, named by the number of the first connection to it. New secrets
 * make a new connection, but not a new vendor account.
 */
export function vendorSql(line: string, connection: string): string {
  return `coalesce(${line}.connection_vendors[${connection}], ${connection})`;
}
