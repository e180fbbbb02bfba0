import "server-only";
import { z } from "zod";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";

/** The API's code for a message that does not exist. */
export const MESSAGE_NOT_FOUND = 2002;
/** The API's code for a chat that does not exist. */
export const CHAT_NOT_FOUND = 2001;
export const LINE_RESTRICTED = 2027;
export const STATE_CONFLICT = 2015;

const ErrorBody = z.object({
  error: z.object({ code: z.int(), message: z.string().default(""), retry_after: z.number().optional() }),
});

/** The meaning of the API's codes for a request. Other codes follow from the status. */
const KINDS: Readonly<Record<number, AdapterErrorKind>> = {
  2004: "line_down",
  2005: "line_down",
  2006: "line_down",
  2009: "rate_limited",
  2017: "unsupported",
  2018: "unsupported",
  2027: "line_down",
  2028: "unsupported",
  2029: "unsupported",
  4002: "line_down",
  4004: "unsupported",
  4005: "unsupported",
  4008: "not_eligible",
  4009: "no_account",
  4010: "unsupported",
};

/** The meaning of the code of a message that failed later. */
const FAILED_KINDS: Readonly<Record<number, AdapterErrorKind>> = {
  3007: "undeliverable",
  4001: "undeliverable",
  4002: "line_down",
  4005: "unsupported",
  4006: "unknown_outcome",
  4007: "rejected",
  4008: "not_eligible",
};

/** An error of the upstream's API, with its status and code. */
export class UpstreamError extends AdapterError {
  constructor(
    kind: AdapterErrorKind,
    message: string,
    readonly status: number,
    readonly code: number | null,
    retryAfterMs?: number,
  ) {
    super(kind, message, retryAfterMs);
  }
}

/** Converts a refused request. An upstream that answers without an error of its API may have performed it. */
export function toUpstreamError(
  status: number,
  body: unknown,
  retryAfter: string | undefined,
): UpstreamError {
  const parsed = ErrorBody.safeParse(body);
  const code = parsed.success ? parsed.data.error.code : null;
  const reason = parsed.success ? `${parsed.data.error.message} (${code})` : `status ${status}`;
  const seconds = parsed.data?.error.retry_after ?? Number(retryAfter);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  return new UpstreamError(kindOf(status, code), `upstream: ${reason}`, status, code, retryAfterMs);
}

function kindOf(status: number, code: number | null): AdapterErrorKind {
  const known = code === null ? undefined : KINDS[code];
  if (known !== undefined) return known;
  if (status >= 500) return "unknown_outcome";
  if (status === 401) return "line_down";
  if (status === 429) return "rate_limited";
  return status === 422 ? "unsupported" : "rejected";
}

/** Converts the code of a message.failed event. */
export function toFailure(code: number, reason: string): AdapterError {
  return new AdapterError(FAILED_KINDS[code] ?? "undeliverable", `upstream: ${reason} (${code})`);
}
