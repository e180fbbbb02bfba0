import "server-only";

const MARK = "vendor";

/** SQL: the stored form of a ref that a message of another vendor account of the line has, too. */
export function vendorRefSql(vendor: string, ref: string): string {
  return `'${MARK}:' || ${vendor} || ':' || ${ref}`;
}

/** SQL: the vendor's id in a stored ref. */
export function plainRefSql(ref: string): string {
  return `regexp_replace(${ref}, '^${MARK}:[0-9]+:', '')`;
}
