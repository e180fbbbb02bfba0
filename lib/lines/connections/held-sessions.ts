import "server-only";
import { allTransports } from "@/lib/adapters/transports/registry";

const shared = globalThis as typeof globalThis & { trunklineHeldSessions?: Map<string, number> };

/** The accounts whose sessions this process keeps, each with the end of its lease by `performance.now()`. */
function held(): Map<string, number> {
  shared.trunklineHeldSessions ??= new Map();
  return shared.trunklineHeldSessions;
}

/** Records that this process keeps an account's sessions for the next `ms`. */
export function holdSessions(accountId: string, untilMs: number): void {
  held().set(accountId, untilMs);
}

/** Records that this process no longer keeps an account's sessions. */
export function letGoOfSessions(accountId: string): void {
  held().delete(accountId);
}

/** The names of the transports whose lines have sessions. */
export function sessionTransports(): string[] {
  return allTransports().flatMap(({ name, sessions }) => (sessions === undefined ? [] : name));
}

/** The two parameters of `isSendableHereSql`. */
export function sessionParameters(): { sessionTransports: string[]; sessionAccounts: string[] } {
  const now = performance.now();
  const accounts = [...held()].flatMap(([accountId, untilMs]) => (untilMs > now ? accountId : []));
  return { sessionTransports: sessionTransports(), sessionAccounts: accounts };
}

/**
 * SQL: whether this process can send for a line: its account is not archived, and its transport keeps no sessions, or
 * this process keeps those of its account. The statement takes `sessionParameters`.
 */
export function isSendableHereSql(line: string): string {
  return `(not ${line}.is_stopped
    and (${line}.transport <> all(:sessionTransports::text[]) or ${line}.account_id = any(:sessionAccounts::uuid[])))`;
}
