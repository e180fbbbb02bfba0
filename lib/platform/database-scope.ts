import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import type { Outage } from "@/lib/platform/database-outage";
import { memoize } from "@/lib/platform/memoize";

/** What is known of the statements that ran on behalf of one request, or one piece of background work. */
export interface DatabaseScope {
  /** A write was committed, or was under way when the database went away. */
  mayHaveWritten: boolean;
  /** A statement failed because the database is not available. */
  sawOutage: boolean;
  /** Statements may take minutes: they run on the connections of background work. */
  isBackground: boolean;
}

// Shared by the bundles of one process: a request may be answered by one and read the database through another.
const shared = globalThis as typeof globalThis & { trunklineScope?: AsyncLocalStorage<DatabaseScope> };

function storage(): AsyncLocalStorage<DatabaseScope> {
  shared.trunklineScope ??= new AsyncLocalStorage();
  return shared.trunklineScope;
}

export function newScope(isBackground = false): DatabaseScope {
  return { mayHaveWritten: false, sawOutage: false, isBackground };
}

/** Runs `work`, noting in `scope` what its statements did. */
export function inScope<Result>(scope: DatabaseScope, work: () => Result): Result {
  return storage().run(scope, work);
}

/** Runs `work` with statements that may take minutes, on connections of their own: sweeps, counts, administration. */
export function inBackground<Result>(work: () => Result): Result {
  return inScope(newScope(true), work);
}

/** Runs `work` outside any scope: work that a wake-up starts belongs to no request, even if a request caused it. */
export function outOfScope(work: () => void): void {
  storage().exit(work);
}

/** The scope of the caller; undefined outside requests and background work. */
export function currentScope(): DatabaseScope | undefined {
  return storage().getStore();
}

const READ = /^\s*(?:select|with|show|values|begin|set)\b/i;
const WRITE = /\b(?:insert|update|delete|merge|truncate|nextval|setval|pg_notify)\b/i;

/** Whether the statement may change something. A read that locks rows counts as a write: better once too often. */
export const mayWrite = memoize<boolean>(2000, (text) => !READ.test(text) || WRITE.test(text));

/** Notes in the scope of the caller how one or more statements have ended. */
export function noteStatements(
  scope: DatabaseScope | undefined,
  wrote: boolean,
  outage: Outage | null,
): void {
  if (scope === undefined) return;
  if (outage !== null) scope.sawOutage = true;
  if (wrote && (outage === null || outage === "unknown")) scope.mayHaveWritten = true;
}
