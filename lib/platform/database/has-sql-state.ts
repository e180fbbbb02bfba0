import "server-only";

/** PostgreSQL rolled the statement or transaction back, because it and others waited for each other. */
export const DEADLOCK = "40P01";

/** Whether the database returned an error with this SQLSTATE, or with one that starts with it. */
export function hasSqlState(error: unknown, start: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.code.startsWith(start)
  );
}
