import "server-only";
import { missingProof } from "@/lib/identity/sessions/missing-proof";
import { isLiveSession, sessionLimits } from "@/lib/identity/sessions/session-limits";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { onWake } from "@/lib/platform/database/wake";
import { log } from "@/lib/platform/telemetry/log";

const CHECK_MS = 2000;

export interface WatchedSession {
  sessionId: string;
  /** The session's account, which its user may lose. */
  accountId: string;
}

interface Watch {
  watched: Map<string, { session: WatchedSession; onEnded: Set<() => void> }>;
  stop(): void;
}

const shared = globalThis as typeof globalThis & { trunklineSessionWatch?: Watch };

/**
 * Calls `onEnded` once when a session has ended, on any instance, or can no longer open the account: immediately after
 * a wake-up, within two seconds if the wake-up is lost. A watched session counts as active. One statement serves all
 * watched sessions. Returns a function that stops watching.
 */
export function watchSession(session: WatchedSession, onEnded: () => void): () => void {
  shared.trunklineSessionWatch ??= startWatch();
  const { watched } = shared.trunklineSessionWatch;
  const key = `${session.sessionId} ${session.accountId}`;
  const entry = watched.get(key) ?? { session, onEnded: new Set() };
  watched.set(key, entry);
  entry.onEnded.add(onEnded);

  return () => {
    entry.onEnded.delete(onEnded);
    if (entry.onEnded.size === 0 && watched.get(key) === entry) watched.delete(key);
    if (watched.size > 0) return;
    shared.trunklineSessionWatch?.stop();
    shared.trunklineSessionWatch = undefined;
  };
}

function startWatch(): Watch {
  const watched: Watch["watched"] = new Map();
  const timer = setInterval(() => void check(watched), CHECK_MS).unref();
  const stopWaking = onWake("sessions", () => void check(watched));
  return {
    watched,
    stop() {
      clearInterval(timer);
      stopWaking();
    },
  };
}

async function check(watched: Watch["watched"]): Promise<void> {
  try {
    const sessions = [...watched.values()].map(({ session }) => session);
    for (const { id, account_id } of await touchAndSelectEnded(sessions)) {
      for (const onEnded of [...(watched.get(`${id} ${account_id}`)?.onEnded ?? [])]) onEnded();
    }
  } catch (error) {
    log.warn({ err: error }, "the sessions of open streams could not be checked");
  }
}

const ENDED_SESSIONS = statement(
  "ended-sessions",
  `with touched as (
    update sessions s set last_seen_at = now()
    where s.id = any(:sessionIds::uuid[]) and s.last_seen_at < now() - interval '1 minute'
      and ${isLiveSession("s")})
  select watched.id as "id!", watched.account_id as "account_id!"
  from unnest(:sessionIds::uuid[], :accountIds::uuid[]) as watched(id, account_id)
  left join sessions s on s.id = watched.id and ${isLiveSession("s")}
  where s.id is null or not exists (
    select 1 from accounts a join partners p on p.id = a.partner_id
    join memberships m on m.partner_id = p.id join users u on u.id = m.user_id
    where a.id = watched.account_id and u.id = s.user_id
      and (${missingProof({ session: "s", user: "u", member: "m", partner: "p" })}) is null)`,
);

function touchAndSelectEnded(sessions: readonly WatchedSession[]) {
  return sql.run(ENDED_SESSIONS, {
    sessionIds: sessions.map(({ sessionId }) => sessionId),
    accountIds: sessions.map(({ accountId }) => accountId),
    ...sessionLimits(),
  });
}
