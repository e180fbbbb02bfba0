import "server-only";

/**
 * How a statement failed whose database is not available: it was never `sent`, was `refused` by the server, which then
 * changed nothing, or the connection ended before the answer came: `unknown`.
 */
export type Outage = "unsent" | "refused" | "unknown";

/** SQLSTATE classes and codes with which a server says that it is going away or coming up: what it did is not certain. */
const GONE = ["08", "57P"];
/** No room, memory or connections; read-only; a statement that took too long; the disk. The statement was undone. */
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
// The driver's own errors have no codes.
const UNSENT = /is not queryable$|^Cannot use a pool after calling end/;
const BROKEN = /^Connection terminated|^Query read timeout$|^the database has not answered in time$/;

// A symbol of all realms: the bundles of one process have modules of their own.
const OUTAGE = Symbol.for("trunkline.databaseOutage");

/** How the statement that failed with `error` ended, or null when the database is there and refused the statement itself. */
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

/** Marks an error of the database, for who handles it later: `outageOf`. */
export function markOutage(error: unknown, outage: Outage | null): void {
  if (outage !== null && error instanceof Error) Object.assign(error, { [OUTAGE]: outage });
}

/** How the database failed, of an error it was marked on; null for any other error. */
export function outageOf(error: unknown): Outage | null {
  return error instanceof Error && OUTAGE in error ? (error[OUTAGE] as Outage) : null;
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !SOCKET_ERRORS.has(code);
}
