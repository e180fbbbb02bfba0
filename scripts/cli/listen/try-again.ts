import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "@/scripts/cli/cli-error";
import { RETRY_MS, Refused } from "@/scripts/cli/listen/follow-events";

/** The API's codes of a route that does not exist, a missing right, a state that does not allow an operation, and of consumers. */
const UNKNOWN_ROUTE = 1003;
export const DENIED = 2005;
export const CONFLICT = 2015;
export const EXPIRED = 2032;
export const LEASED = 2033;
export const UNKNOWN_CONSUMER = 2034;

const MAX_PAUSE_SECONDS = 10;

/** The API's code of an error; undefined for one that an instance did not send. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof CliError ? error.failure.code : undefined;
}

/** Whether an error is the API's for an endpoint that it does not have, as of an older version. */
export function isUnknownRoute(error: unknown): boolean {
  return error instanceof CliError && error.failure.code === UNKNOWN_ROUTE && error.failure.status === 404;
}

/** Whether a later attempt can succeed: the instance is away, restarts or is busy, or a proxy answered for it. */
export function isTemporary(error: unknown): error is CliError {
  if (!(error instanceof CliError)) return false;
  const { status } = error.failure;
  return error.exit === "unreachable" || status === undefined || status >= 500 || [408, 429].includes(status);
}

/** Waits before attempt `failures` + 2, at least as long as the API says. */
export async function pauseAfter(error: CliError, failures: number): Promise<void> {
  const pauseMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
  await sleep(Math.max(pauseMs, Math.min(error.failure.retry_after ?? 0, MAX_PAUSE_SECONDS) * 1000));
}

/** Repeats an attempt until the instance answers. Throws any other error. */
export async function untilAnswered<Result>(
  say: (line: string) => void,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      say(`Connection failed: ${error.message}`);
      await pauseAfter(error, failures);
    }
  }
}

/** The error that ends a run. */
export function toRefused(error: unknown): unknown {
  return error instanceof CliError ? new Refused(error.failure) : error;
}
