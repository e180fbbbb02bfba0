import "server-only";

/** Whether the database returned an error with this SQLSTATE, or with one that starts with it. */
export function hasSqlState(error: unknown, start: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.code.startsWith(start)
  );
}
