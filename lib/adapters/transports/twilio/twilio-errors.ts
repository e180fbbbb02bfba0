import "server-only";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";

/** The meaning of Twilio's error codes (https://www.twilio.com/docs/api/errors). */
const KINDS: Readonly<Record<number, AdapterErrorKind>> = {
  20003: "line_down",
  20429: "rate_limited",
  21408: "rejected",
  21603: "rejected",
  21606: "rejected",
  21610: "rejected",
  21611: "rate_limited",
  21614: "rejected",
  21211: "rejected",
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
};

/** The recipient replied STOP to the sender, or blocked it: 21610 over SMS, 63014 over RCS. */
const OPTED_OUT: ReadonlySet<number> = new Set([21610, 63014]);

const RETRY_AFTER_MS = 1000;

/** Whether a code says that the recipient opted out. */
export function isOptOut(code: number): boolean {
  return OPTED_OUT.has(code);
}

/** Converts a code of Twilio. An unknown code is `otherwise`. */
export function toTwilioError(
  code: number,
  { message, otherwise }: { message: string; otherwise: AdapterErrorKind },
): AdapterError {
  const kind = KINDS[code] ?? otherwise;
  return new AdapterError(
    kind,
    `Twilio ${code}: ${message}`,
    kind === "rate_limited" ? RETRY_AFTER_MS : undefined,
  );
}
