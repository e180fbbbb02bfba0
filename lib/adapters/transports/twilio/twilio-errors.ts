import "server-only";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";

/**
 * The meaning of Twilio's error codes (https://www.twilio.com/docs/api/errors). A code about the account, the sender or
 * the Messaging Service concerns every message of the line, so the line is down and its messages wait.
 */
const KINDS: Readonly<Record<number, AdapterErrorKind>> = {
  14107: "rate_limited",
  20003: "line_down",
  20005: "line_down",
  20006: "line_down",
  20008: "line_down",
  20403: "line_down",
  20404: "line_down",
  20429: "rate_limited",
  21211: "rejected",
  21212: "line_down",
  21408: "rejected",
  21603: "line_down",
  21606: "line_down",
  21610: "rejected",
  21611: "rate_limited",
  21612: "not_reachable",
  21614: "rejected",
  21659: "line_down",
  21660: "line_down",
  21701: "line_down",
  21703: "line_down",
  21705: "line_down",
  30001: "rate_limited",
  30002: "line_down",
  30003: "not_reachable",
  30004: "rejected",
  30005: "not_reachable",
  30006: "not_reachable",
  30007: "rejected",
  30008: "undeliverable",
  30011: "unsupported",
  63003: "not_reachable",
  63005: "unsupported",
  63006: "unsupported",
  63007: "line_down",
  63008: "line_down",
  63013: "rejected",
  63014: "rejected",
  63018: "rate_limited",
  63021: "unsupported",
  63023: "undeliverable",
  63024: "not_reachable",
  63036: "not_reachable",
  63038: "rate_limited",
};

/** The recipient replied STOP to the sender, or blocked it: 21610 over SMS, 63014 over RCS. */
const OPTED_OUT: ReadonlySet<number> = new Set([21610, 63014]);

const RETRY_AFTER_MS = 1000;

/** Whether a code says that the recipient opted out. */
export function isOptOut(code: number): boolean {
  return OPTED_OUT.has(code);
}

/** Converts a code of Twilio. An unknown code is `otherwise`. `retryAfterMs`: the pause that Twilio asked for. */
export function toTwilioError(
  code: number,
  {
    message,
    otherwise,
    retryAfterMs = RETRY_AFTER_MS,
  }: { message: string; otherwise: AdapterErrorKind; retryAfterMs?: number | undefined },
): AdapterError {
  const kind = KINDS[code] ?? otherwise;
  return new AdapterError(
    kind,
    `Twilio ${code}: ${message}`,
    kind === "rate_limited" ? retryAfterMs : undefined,
  );
}
