import "server-only";

/**
 * The fate of a statement whose database is unavailable. `unsent`: it was never sent. `refused`: the server rejected
 * it and changed nothing. `unknown`: the connection closed before the response arrived.
 */
export type Outage = "unsent" | "refused" | "unknown";

/** SQLSTATE classes and codes of a server that is shutting down or starting. The effect of the statement is unknown. */
const GONE = ["08", "57P"];
/** Out of space, memory or connections, read-only, statement timeout, disk errors. The statement was rolled back. */
const REFUSED = ["53", "25006", "57014", "58030"];
const SOCKET_ERRORS: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ERR_STREAM_DESTROYED",
]);
// Errors of the driver itself have no code.
const UNSENT = /is not queryable$|^Cannot use a pool after calling end/;
const BROKEN = /^Connection terminated|^Query read timeout$/;

// A global symbol, because each bundle of the process has its own copy of this module.
const OUTAGE = Symbol.for("trunkline.databaseOutage");

/**
 * Classifies the error of a failed statement. Returns null when the database is available and rejected the statement
 * itself.
 */
export function classifyOutage(error: unknown): Outage | null {
  if (!(error instanceof Error)) return null;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (isSqlState(code)) {
    if (REFUSED.some((start) => code.startsWith(start))) return "refused";
    return GONE.some((start) => code.startsWith(start)) ? "unknown" : null;
  }
  if (UNSENT.test(error.message)) return "unsent";
  return SOCKET_ERRORS.has(code) || BROKEN.test(error.message) ? "unknown" : null;
}

/** Marks an error of the database for `outageOf`. */
export function markOutage(error: unknown, outage: Outage | null): void {
  if (outage !== null && error instanceof Error) Object.assign(error, { [OUTAGE]: outage });
}

/** Returns the outage that an error was marked with, or null. */
export function outageOf(error: unknown): Outage | null {
  return error instanceof Error && OUTAGE in error ? (error[OUTAGE] as Outage) : null;
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !SOCKET_ERRORS.has(code);
}
