import "server-only";
import { sessionLimits } from "@/lib/identity/sessions/session-limits";
import { hasLiveSession } from "@/lib/identity/tokens/find-session-actor";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const CHECK_MS = 2000;

export interface WatchedToken {
  accountId: string;
  tokenId: string;
}

/** When the account was archived or expired; both null = the token was revoked or has expired. */
export interface AccountEnd {
  archivedAt: Date | null;
  expiredAt: Date | null;
}

type OnEnded = (end: AccountEnd) => void;

interface Watch {
  /** The listeners, by token. */
  watched: Map<string, { token: WatchedToken; tell: Set<OnEnded> }>;
  timer: NodeJS.Timeout;
}

const shared = globalThis as typeof globalThis & { trunklineTokenWatch?: Watch };

/**
 * Calls `onEnded` within seconds after the token was revoked (on any instance) or has expired, or its account was
 * archived or has expired: for responses that continue after the initial check. One statement serves all watched tokens. Returns a
 * function that stops watching.
 */
export function watchToken(token: WatchedToken, onEnded: OnEnded): () => void {
  shared.trunklineTokenWatch ??= startWatch();
  const { watched } = shared.trunklineTokenWatch;
  const entry = watched.get(token.tokenId) ?? { token, tell: new Set() };
  watched.set(token.tokenId, entry);
  entry.tell.add(onEnded);

  return () => {
    entry.tell.delete(onEnded);
    if (entry.tell.size === 0 && watched.get(token.tokenId) === entry) watched.delete(token.tokenId);
    if (watched.size === 0) stopWatch();
  };
}

function startWatch(): Watch {
  const watched: Watch["watched"] = new Map();
  const timer = setInterval(() => void check(watched), CHECK_MS).unref();
  return { watched, timer };
}

function stopWatch(): void {
  clearInterval(shared.trunklineTokenWatch?.timer);
  shared.trunklineTokenWatch = undefined;
}

async function check(watched: Watch["watched"]): Promise<void> {
  try {
    for (const { id, archived_at: archivedAt, expired_at: expiredAt } of await selectEnded(
      [...watched.values()].map(({ token }) => token),
    )) {
      for (const tell of [...(watched.get(id)?.tell ?? [])]) tell({ archivedAt, expiredAt });
    }
  } catch (error) {
    log.warn({ err: error }, "the tokens of open streams could not be checked");
  }
}

const ENDED_TOKENS = statement(
  "ended-tokens",
  `select watched.id as "id!", a.archived_at,
    case when a.expires_at <= :now then a.expires_at end as expired_at
  from unnest(:accountIds::uuid[], :tokenIds::uuid[]) as watched(account_id, id)
  left join api_tokens t
    on t.account_id = watched.account_id and t.id = watched.id and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > :now)
      and ${hasLiveSession("t")}
  left join accounts a on a.id = t.account_id
  where t.id is null or a.archived_at is not null or a.expires_at <= :now`,
);

function selectEnded(tokens: readonly WatchedToken[]) {
  return sql.run(ENDED_TOKENS, {
    accountIds: tokens.map((token) => token.accountId),
    tokenIds: tokens.map((token) => token.tokenId),
    now: now(),
    ...sessionLimits(),
  });
}
