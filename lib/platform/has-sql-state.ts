import "server-only";

/** Whether the database refused something with this SQLSTATE, or one that begins so. */
export function hasSqlState(error: unknown, start: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.code.startsWith(start)
  );
}
