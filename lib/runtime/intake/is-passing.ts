import "server-only";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";
import { outageOf } from "@/lib/platform/database/database-outage";
import { ApiError } from "@/lib/platform/errors/errors";

/**
 * SQLSTATE classes of failures that say nothing about the event: connection, sign-in, rollback, resources, locks and
 * objects in use, intervention, disk, configuration, and errors inside PostgreSQL.
 */
const PASSING_CLASSES = ["08", "28", "3D", "40", "53", "55", "57", "58", "F0", "XX"] as const;
/** Read-only, and a transaction that waited too long. */
const PASSING_STATES = ["25006", "25P03", "25P04"] as const;
const PASSING_FILES: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EMFILE",
  "ENFILE",
  "EROFS",
  "EIO",
  "ENOMEM",
]);
const PASSING_KINDS: ReadonlySet<AdapterErrorKind> = new Set([
  "line_down",
  "rate_limited",
  "unknown_outcome",
]);

/**
 * Whether an event that could not be stored may be stored later as it is: an outage, a lock or a full disk. Its
 * vendor is to deliver it again. Anything else fails for the event's content, or for a defect
 * that repeats.
 */
export function isPassing(error: unknown): boolean {
  if (outageOf(error) !== null) return true;
  if (error instanceof ApiError) return error.row.status >= 500 || error.errorName === "rate_limited";
  if (error instanceof AdapterError) return PASSING_KINDS.has(error.kind);
  if (!(error instanceof Error)) return false;
  if (error.name === "AbortError" || error.name === "TimeoutError") return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return PASSING_FILES.has(code) || isPassingState(code);
}

function isPassingState(code: string): boolean {
  if (!/^[0-9A-Z]{5}$/.test(code)) return false;
  return (
    PASSING_CLASSES.some((start) => code.startsWith(start)) || PASSING_STATES.some((state) => state === code)
  );
}
