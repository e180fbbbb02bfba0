import "server-only";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { failRateLimited } from "@/lib/platform/errors/errors";
import { limitAdvice, limitResetOf } from "@/lib/platform/sandbox/limit-resets";
import { log } from "@/lib/platform/telemetry/log";

const MINUTE_MS = 60_000;
/**
 * The interval at which instances exchange their counts. During one interval, two instances together can exceed a
 * limit.
 */
const SHARE_MS = 1000;
const KEPT_MINUTES = 5;

/** One token's requests in the current minute, as known to this process. */
interface Count {
  accountId: string;
  /** The account's last reset of its limits when the count began. */
  reset: string | null;
  minute: number;
  /** Counted in this process and not yet shared. */
  own: number;
  /** The total of all instances at the last exchange. */
  shared: number;
}

interface Counts {
  byToken: Map<string, Count>;
  sharedAt: number;
  sharing: boolean;
}

const shared = globalThis as typeof globalThis & { trunklineRequestCounts?: Counts };

/**
 * Counts a request of a token, or of another id within an account, and rejects it with 429 when the minute's limit is
 * reached. `limit` null = REQUESTS_PER_MINUTE. Counts are kept in memory and shared among instances every second, so no
 * request waits for them (docs/contract.md, section 3.3). Errors: rate_limited.
 */
export function limitRequests(
  token: { accountId: string; tokenId: string; accountType?: string },
  limit: number | null,
  at: Date,
): void {
  const most = limit ?? env().REQUESTS_PER_MINUTE;
  if (most === 0) return;

  shared.trunklineRequestCounts ??= { byToken: new Map(), sharedAt: 0, sharing: false };
  const counts = shared.trunklineRequestCounts;
  const minute = Math.floor(at.getTime() / MINUTE_MS);
  const count = countOf(counts, token, minute);
  shareSoon(counts, minute);
  if (count.own + count.shared >= most) {
    const seconds = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - at.getTime()) / 1000));
    failRateLimited(seconds, limitAdvice(token.accountType));
  }
  count.own++;
}

function countOf(
  counts: Counts,
  { accountId, tokenId }: { accountId: string; tokenId: string },
  minute: number,
): Count {
  const known = counts.byToken.get(tokenId);
  const reset = limitResetOf(accountId);
  if (known?.minute === minute && known.reset === reset) return known;
  const fresh = { accountId, reset, minute, own: 0, shared: 0 };
  counts.byToken.set(tokenId, fresh);
  return fresh;
}

function shareSoon(counts: Counts, minute: number): void {
  if (counts.sharing || Date.now() - counts.sharedAt < SHARE_MS) return;
  counts.sharing = true;
  counts.sharedAt = Date.now();
  shareCounts(counts, minute)
    .catch((error: Error) => log.warn({ error: error.message }, "request counts could not be shared"))
    .finally(() => {
      counts.sharing = false;
    });
}

const SHARE_REQUEST_COUNTS = statement(
  "share-request-counts",
  `with swept as (
    delete from token_minutes where minute < :minute::timestamptz - interval '${KEPT_MINUTES} minutes'
  )
  insert into token_minutes as t (account_id, token_id, minute, requests)
  select * from unnest(:accountIds::uuid[], :tokenIds::uuid[], :reports::timestamptz[], :owns::int[]) as own order by 1, 2, 3
  on conflict (account_id, token_id, minute) do update set requests = t.requests + excluded.requests
  returning token_id, requests`,
);

async function shareCounts({ byToken }: Counts, minute: number): Promise<void> {
  const reports = [...byToken].map(([tokenId, count]) => ({ tokenId, count, own: count.own }));
  const rows = await sql.run(SHARE_REQUEST_COUNTS, {
    accountIds: reports.map(({ count }) => count.accountId),
    tokenIds: reports.map(({ tokenId }) => tokenId),
    reports: reports.map(({ count }) => new Date(count.minute * MINUTE_MS)),
    owns: reports.map(({ own }) => own),
    minute: new Date(minute * MINUTE_MS),
  });
  const requests = new Map(rows.map((row) => [row.token_id, row.requests]));
  for (const { tokenId, count, own } of reports) {
    count.own -= own;
    count.shared = requests.get(tokenId) ?? count.shared + own;
    // The count of an idle token is removed when its minute is over.
    if (own === 0 && count.minute < minute && byToken.get(tokenId) === count) byToken.delete(tokenId);
  }
}
