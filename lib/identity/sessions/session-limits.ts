import "server-only";
import { env } from "@/lib/platform/env";

/**
 * SQL for "session `row` has not ended": younger than SESSION_HOURS and used within SESSION_IDLE_MINUTES. Sessions use
 * PostgreSQL's clock, so neither a process's clock nor a simulated time can extend one. Takes the parameters that
 * `sessionLimits()` returns.
 */
export function isLiveSession(row: string): string {
  return `${row}.created_at > now() - make_interval(hours => :hours::int)
    and ${row}.last_seen_at > now() - make_interval(mins => :idleMinutes::int)`;
}

/** The parameters of `isLiveSession`. */
export function sessionLimits(): { hours: number; idleMinutes: number } {
  return { hours: env().SESSION_HOURS, idleMinutes: env().SESSION_IDLE_MINUTES };
}
