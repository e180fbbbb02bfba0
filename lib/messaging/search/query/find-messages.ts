import "server-only";
import type { SearchPlaces } from "@/lib/messaging/search/query/find-places";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";

const TIMEOUT_MS = 3000;
const CANCELED_BY_TIMEOUT = "57014";
/** The segments of the first statement; each further one reads eight times as many, and at most MAX_SEGMENTS. */
const FIRST_SEGMENTS = 2;
const MORE_SEGMENTS = 8;
const MAX_SEGMENTS = 512;

/** The conditions of a search. */
export interface MessageConditions extends Pick<SearchPlaces, "senders" | "isFromMe"> {
  /** The text of a tsquery with KEY in place of a segment's key. */
  terms: string;
  /** The first day and the day after the last one, in `zone`. */
  after: string | null;
  before: string | null;
  zone: string;
  /** Only messages before this position. */
  beforePosition: string;
  limit: number;
}

const SEGMENTS_TO_SEARCH = plannedStatement(
  "segments-to-search",
  `select key, days.after_at, days.before_at
  from (select :after::date::timestamp at time zone :zone as after_at,
    :before::date::timestamp at time zone :zone as before_at) days
  join message_search_segments s on s.account_id = :accountId and s.message_count > 0
    and s.first_position < :beforePosition::bigint
    and (days.after_at is null or s.last_at >= days.after_at) and (days.before_at is null or s.first_at < days.before_at)
  order by s.first_position desc`,
);

// The condition on the terms is the only one that matches an index, so that the plan never reads all messages of the
// account. The matches of a segment are sorted before the first message is looked at.
const FIND_MESSAGES_BY_TERMS = plannedStatement(
  "find-messages-by-terms",
  `select hit.message_id, hit.position from unnest(:keys::text[]) as s(key)
  cross join lateral (
    select i.message_id, i.position from (
      select i.message_id, i.position from message_search i
      where i.terms @@ replace(:terms, '§', s.key)::tsquery and i.account_id is not distinct from :accountId
        and i.position < :beforePosition::bigint
      order by i.position desc offset 0
    ) i
    cross join lateral (
      select from messages m
      where m.account_id = :accountId and m.id = i.message_id and m.deleted_at is null
        and (:isFromMe::boolean is null or m.is_from_me = :isFromMe::boolean)
        and (:senders::uuid[] is null or m.sender_id = any(:senders::uuid[]))
        and (:afterAt::timestamptz is null or m.created_at >= :afterAt::timestamptz)
        and (:beforeAt::timestamptz is null or m.created_at < :beforeAt::timestamptz)
      offset 0
    ) m
    order by i.position desc limit :limit
  ) hit
  order by hit.position desc limit :limit`,
);

type Found = RowOf<"find-messages-by-terms">;

// The limit of the transaction is for each statement.
const LIMIT_REST_OF_SEARCH = plannedStatement(
  "limit-rest-of-search",
  `select set_config('statement_timeout', :ms, true) as "set!"`,
);

/**
 * Finds messages by their terms, newest first, at most `limit`: segment by segment, so that a common word is found in
 * the newest ones. Errors: parameter_invalid after three seconds, rate_limited.
 */
export async function findMessages(ctx: Context, wanted: MessageConditions): Promise<Found[]> {
  return boundedSearch(ctx.account.id, TIMEOUT_MS, async (tx) => {
    try {
      return await findInSegments(tx, ctx.account.id, wanted);
    } catch (error) {
      if (hasSqlState(error, CANCELED_BY_TIMEOUT)) failTooLong();
      throw error;
    }
  });
}

/** As findMessages, in a transaction. The time counts from here, for all statements together. */
export async function findInSegments(
  tx: Sql,
  accountId: string,
  wanted: MessageConditions,
): Promise<Found[]> {
  const until = performance.now() + TIMEOUT_MS;
  const { terms, after, before, zone, beforePosition, limit, isFromMe, senders } = wanted;
  const segments = await tx.run(SEGMENTS_TO_SEARCH, { accountId, after, before, zone, beforePosition });
  const [days] = segments;
  const common = { accountId, terms, beforePosition, isFromMe, senders };
  const found: Found[] = [];
  let count = FIRST_SEGMENTS;
  for (let from = 0; from < segments.length && found.length < limit; ) {
    const ms = Math.ceil(until - performance.now());
    if (ms <= 0) failTooLong();
    if (from > 0) await tx.run(LIMIT_REST_OF_SEARCH, { ms: String(ms) });
    const keys = segments.slice(from, from + count).map(({ key }) => key);
    const rest = { keys, limit: limit - found.length, afterAt: days?.after_at, beforeAt: days?.before_at };
    found.push(...(await tx.run(FIND_MESSAGES_BY_TERMS, { ...common, ...rest })));
    from += count;
    count = Math.min(count * MORE_SEGMENTS, MAX_SEGMENTS);
  }
  return found;
}

function failTooLong(): never {
  return fail(
    "parameter_invalid",
    `the search took longer than ${TIMEOUT_MS / 1000} seconds: add a word, or a day with after: or before:`,
  );
}
