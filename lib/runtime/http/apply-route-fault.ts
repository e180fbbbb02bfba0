import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, ERRORS, type ErrorName } from "@/lib/platform/errors/errors";
import { requestClient } from "@/lib/platform/http/request-client";
import { findFault } from "@/lib/platform/sandbox/find-fault";
import type { FaultEffect, FaultMatch } from "@/lib/platform/sandbox/injected-fault";
import { memoize } from "@/lib/platform/tasks/memoize";
import type { Answer } from "@/lib/runtime/http/answer";

const HELD_BACK_MS = 1000;
const STALLED_MS = 60_000;
const ALIAS = "/api/partner/v3";
/** The API that partners call. The simulator itself has no faults, so that they can always be removed. */
const API = /^\/v3(\/|$)/;

/**
 * Performs an API call of an account that has injected faults, with the effect of the first fault that acts on the
 * call. Faults with an error code act on the response, the others before the call.
 */
export async function performWithFaults(
  request: Request,
  accountId: string,
  perform: () => Promise<Answer>,
): Promise<Answer> {
  const path = pathOf(request);
  if (!API.test(path)) return perform();
  const isRoute = ({ route }: FaultMatch) =>
    route === undefined || routePattern(route).test(`${request.method} ${path}`);
  const before = await findFault(
    accountId,
    (match) => match.route !== undefined && match.code === undefined && isRoute(match),
  );
  if (before !== null) return applyBefore(before, request.signal, perform);

  const { answer, code } = await outcomeOf(perform);
  const after =
    code === null ? null : await findFault(accountId, (match) => match.code === code && isRoute(match));
  return after === null ? answer() : applyBefore(after, request.signal, async () => answer());
}

async function applyBefore(
  { type, code, status, delay_ms }: FaultEffect,
  signal: AbortSignal,
  perform: () => Promise<Answer>,
): Promise<Answer> {
  switch (type) {
    case "error":
      throw new ApiError(errorNamed(code, status), "an injected fault of the simulator");
    case "latency":
    case "reorder":
      await pause(delay_ms ?? HELD_BACK_MS, signal);
      return perform();
    case "duplicate":
      await perform();
      return perform();
    case "drop":
      await perform();
      return disconnect();
    case "stall":
      await pause(delay_ms ?? STALLED_MS, signal);
      return disconnect();
  }
}

/** Runs a call and returns its error code; null for a success. */
async function outcomeOf(
  perform: () => Promise<Answer>,
): Promise<{ answer: () => Answer; code: number | null }> {
  try {
    const answer = await perform();
    return { answer: () => answer, code: answer.errorCode ?? null };
  } catch (error) {
    const code = error instanceof ApiError ? error.row.code : null;
    return {
      code,
      answer: () => {
        throw error;
      },
    };
  }
}

/** Closes the connection without a response. A caller without a connection gets 504. */
function disconnect(): never {
  requestClient().connection?.destroy();
  throw new ApiError("network_timeout", "an injected fault of the simulator dropped the response");
}

function errorNamed(code: number | undefined, status: number | undefined): ErrorName {
  const names = Object.keys(ERRORS) as ErrorName[];
  const name = names.find(
    (each) => ERRORS[each].code === code && (status === undefined || ERRORS[each].status === status),
  );
  return name ?? "internal";
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

function pathOf(request: Request): string {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(ALIAS) ? pathname.slice(ALIAS.length - "/v3".length) : pathname;
}

/** A pattern for the method and path of a route: {placeholders} and * stand for one segment, * also for any method. */
const routePattern = memoize(500, (route) => {
  const [method = "", path = ""] = route.split(" ");
  const segments = path
    .split("/")
    .map((segment) => (/^\{.*\}$|^\*$/.test(segment) ? "[^/]+" : segment.replaceAll(/[.+]/g, "\\$&")));
  return new RegExp(`^${method === "*" ? "[A-Z]+" : method} ${segments.join("/")}$`);
});
