import "server-only";
import { sql } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";

const CHECK_MS = 2000;

export interface WatchedToken {
  accountId: string;
  tokenId: string;
}

interface Watch {
  /** Whom to tell, by token. */
  watched: Map<string, { token: WatchedToken; tell: Set<() => void> }>;
  timer: NodeJS.Timeout;
}

const shared = globalThis as typeof globalThis & { trunklineTokenWatch?: Watch };

/**
 * Calls `onRevoked` within seconds once the token was revoked, on whichever instance: for answers that outlive the check
 * at their start. One statement serves all that watch. Returns how to stop watching.
 */
export function watchToken(token: WatchedToken, onRevoked: () => void): () => void {
  shared.trunklineTokenWatch ??= startWatch();
  const { watched } = shared.trunklineTokenWatch;
  const entry = watched.get(token.tokenId) ?? { token, tell: new Set() };
  watched.set(token.tokenId, entry);
  entry.tell.add(onRevoked);

  return () => {
    entry.tell.delete(onRevoked);
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
    for (const tokenId of await selectRevoked([...watched.values()].map(({ token }) => token))) {
      for (const tell of [...(watched.get(tokenId)?.tell ?? [])]) tell();
    }
  } catch (error) {
    log.warn({ err: error }, "the tokens of open streams could not be checked");
  }
}

async function selectRevoked(tokens: readonly WatchedToken[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>({
    name: "revoked-tokens",
    text: `select watched.id from unnest($1::uuid[], $2::uuid[]) as watched(account_id, id)
           where not exists (
             select from api_tokens t
             where t.account_id = watched.account_id and t.id = watched.id and t.revoked_at is null)`,
    values: [tokens.map((token) => token.accountId), tokens.map((token) => token.tokenId)],
  });
  return rows.map((row) => row.id);
}
