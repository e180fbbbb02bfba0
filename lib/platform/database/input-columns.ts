import "server-only";

/** The columns that a statement takes as parameters, with their types, in order. */
type InputColumns = readonly (readonly [column: string, type: string])[];

/** The parameter of a column: `:accountId` for `account_id`. */
function parameterOf(column: string): string {
  return `:${column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** SQL: the names of the columns. */
export function namesSql(columns: InputColumns): string {
  return columns.map(([name]) => name).join(", ");
}

/** SQL: the parameters of one row. */
export function valuesSql(columns: InputColumns): string {
  return columns.map(([name, type]) => `${parameterOf(name)}::${type}`).join(", ");
}

/** SQL: the parameters of one row, each with the name of its column. */
export function namedValuesSql(columns: InputColumns): string {
  return columns.map(([name, type]) => `${parameterOf(name)}::${type} as ${name}`).join(", ");
}

/** SQL: the parameters of many rows, an array for each column. */
export function arraysSql(columns: InputColumns): string {
  return columns.map(([name, type]) => `${parameterOf(name)}::${type}[]`).join(", ");
}

/** The parameters of many rows: an array for each parameter of one row. There is at least one row. */
export function toArrays<Parameters extends object>(
  rows: readonly Parameters[],
): { [Name in keyof Parameters]: Parameters[Name][] } {
  const names = Object.keys(rows[0] ?? {}) as (keyof Parameters)[];
  const arrays = names.map((name) => [name, rows.map((row) => row[name])]);
  return Object.fromEntries(arrays);
}
