import "server-only";
import type { Segment } from "@/lib/messaging/search/store/segments";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const SEARCH_SEGMENTS = statement(
  "search-segments",
  `select key, first_position, lowest, highest, message_count, first_at, last_at
  from message_search_segments where account_id = :accountId`,
);

/** The segments of an account, in no order: some hundred for ten million messages. */
export async function readSegments(on: Sql, accountId: string): Promise<Segment[]> {
  const rows = await on.run(SEARCH_SEGMENTS, { accountId });
  return rows.map((row) => ({
    key: row.key,
    firstPosition: BigInt(row.first_position),
    lowest: BigInt(row.lowest),
    highest: BigInt(row.highest),
    messageCount: row.message_count,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }));
}

const STORE_SEARCH_SEGMENTS = statement(
  "store-search-segments",
  `insert into message_search_segments
    (account_id, key, first_position, lowest, highest, message_count, first_at, last_at)
  select :accountId, * from unnest(:keys::text[], :firstPositions::bigint[], :lowest::bigint[], :highest::bigint[],
    :messageCounts::int[], :firstAt::timestamptz[], :lastAt::timestamptz[])
  on conflict (account_id, key) do update set first_position = excluded.first_position, lowest = excluded.lowest,
    highest = excluded.highest, message_count = excluded.message_count, first_at = excluded.first_at,
    last_at = excluded.last_at`,
);

/** Stores new and changed segments. */
export async function storeSegments(tx: Sql, accountId: string, segments: readonly Segment[]): Promise<void> {
  await tx.run(STORE_SEARCH_SEGMENTS, {
    accountId,
    keys: segments.map(({ key }) => key),
    firstPositions: segments.map(({ firstPosition }) => String(firstPosition)),
    lowest: segments.map(({ lowest }) => String(lowest)),
    highest: segments.map(({ highest }) => String(highest)),
    messageCounts: segments.map(({ messageCount }) => messageCount),
    firstAt: segments.map(({ firstAt }) => firstAt),
    lastAt: segments.map(({ lastAt }) => lastAt),
  });
}
