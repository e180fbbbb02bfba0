import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import type { Outage } from "@/lib/platform/database/database-outage";
import { memoize } from "@/lib/platform/tasks/memoize";

/** The state of the statements that ran for one request or one background job. */
export interface DatabaseScope {
  /** A write was committed, or was in progress when the database became unavailable. */
  mayHaveWritten: boolean;
  /** A statement failed because the database is unavailable. */
  sawOutage: boolean;
  /** When a statement last got no connection, by `performance.now()`. */
  noConnectionAt?: number;
  /** Statements may take minutes and use the connections of background work. */
  isBackground: boolean;
}

// Shared by the bundles of one process: one bundle may serve the request while another reads the database.
const shared = globalThis as typeof globalThis & { trunklineScope?: AsyncLocalStorage<DatabaseScope> };

function storage(): AsyncLocalStorage<DatabaseScope> {
  shared.trunklineScope ??= new AsyncLocalStorage();
  return shared.trunklineScope;
}

export function newScope(isBackground = false): DatabaseScope {
  return { mayHaveWritten: false, sawOutage: false, isBackground };
}

/** Runs `work` and records the effects of its statements in `scope`. */
export function inScope<Result>(scope: DatabaseScope, work: () => Result): Result {
  return storage().run(scope, work);
}

/** Runs `work` on separate connections whose statements may take minutes: sweeps, counts, administration. */
export function inBackground<Result>(work: () => Result): Result {
  return inScope(newScope(true), work);
}

/** Runs `work` outside any scope: work that a wake-up starts belongs to no request, even if a request caused it. */
export function runOutOfScope(work: () => void): void {
  storage().exit(work);
}

/** The scope of the caller; undefined outside requests and background work. */
export function currentScope(): DatabaseScope | undefined {
  return storage().getStore();
}

const READ = /^\s*(?:select|with|show|values|begin|set)\b/i;
const WRITE = /\b(?:insert|update|delete|merge|truncate|nextval|setval|pg_notify)\b/i;

/** Whether the statement may change data. A read that locks rows counts as a write, to be safe. */
export const mayWrite = memoize<boolean>(2000, (text) => !READ.test(text) || WRITE.test(text));

/** Records the outcome of one or more statements in the caller's scope. */
export function recordOutcomes(
  scope: DatabaseScope | undefined,
  wrote: boolean,
  outage: Outage | null,
): void {
  if (scope === undefined) return;
  if (outage !== null) scope.sawOutage = true;
  if (outage === "unsent") scope.noConnectionAt = performance.now();
  if (wrote && (outage === null || outage === "unknown")) scope.mayHaveWritten = true;
}
