import "server-only";
import {
  COUNTED_LINE_EVENTS,
  countedEvents,
  NIL_UUID,
  quarterOf,
  STORE_LINE_ACTIVITY,
} from "@/lib/events/activity/activity";
import { countInRounds } from "@/lib/events/activity/count-in-rounds";
import { seqBlock } from "@/lib/events/store/event-blocks";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** Maximum range of one statement, in event numbers: it holds the lock of the account's row for a moment only. */
const STEP_EVENTS = 65_536;
/** Maximum opt-outs of one statement. */
const STEP_OPT_OUTS = 10_000;
/** Maximum statements per account and run, so that each account gets on in each run. */
const MAX_ROUNDS = 8;

/**
 * Counts by line what `countActivity` has counted for the account only: the events that were kept at an upgrade, and those
 * that the release before counted. A job of its own, so that the figures of accounts don't wait for it. Ends early once
 * `stop` is aborted. Returns the number of statements that counted. Throws an AggregateError after the other accounts are
 * counted if those of some failed.
 */
export function countEarlierLineActivity(stop: AbortSignal): Promise<number> {
  return countInRounds({
    findDue: () => sql.run(ACCOUNTS_WITH_LINES_TO_COUNT),
    countStep: async ({ id, last, opt_outs_last: optOutsLast }) => {
      const [row] = await sql.run(COUNT_EARLIER_LINE_ACTIVITY, {
        accountId: id,
        last,
        optOutsLast,
        types: COUNTED_LINE_EVENTS,
      });
      return row !== undefined;
    },
    maxRounds: MAX_ROUNDS,
    stop,
  });
}

const ACCOUNTS_WITH_LINES_TO_COUNT = statement(
  "accounts-with-lines-to-count",
  `select id, coalesce(activity_to, 0) as "last!", coalesce(opt_outs_to, ${NIL_UUID}) as "opt_outs_last!" from accounts
  where coalesce(line_activity_to, 0) < activity_to or coalesce(line_opt_outs_to, ${NIL_UUID}) < opt_outs_to
  order by id`,
);

// Locks the account's row as "count-activity" does. Ends at the account's positions as an earlier statement read them. The
// positions of the locked row can be newer than the snapshot of this statement, which then lacks events before them.
const COUNT_EARLIER_LINE_ACTIVITY = statement(
  "count-earlier-line-activity",
  `with account as materialized (
    select coalesce(line_activity_to, 0) as since, coalesce(line_opt_outs_to, ${NIL_UUID}) as opt_outs_since
    from accounts where id = :accountId for no key update
  ), range as materialized (
    select since, least(:last::bigint, (
        select e.seq + ${STEP_EVENTS} from events e
        where e.account_id = :accountId and e.seq >= since and e.seq < :last::bigint
        order by e.seq limit 1)) as until,
      opt_outs_since, coalesce((
        select o.id from opt_outs o
        where o.account_id = :accountId and o.id >= opt_outs_since and o.id < :optOutsLast::uuid
        order by o.id offset ${STEP_OPT_OUTS} limit 1), :optOutsLast::uuid) as opt_outs_until
    from account where since < :last::bigint or opt_outs_since < :optOutsLast::uuid
  ), line_event as (
    select * from (${countedEvents("(select since from range)", ":types")}) event
    where seq < (select until from range) and ${seqBlock("seq")} <= ${seqBlock("(select until from range)")}
  ), line_opt_out as (
    select ${quarterOf("o.started_at")} as hour, c.line_id
    from opt_outs o join chats c on c.account_id = :accountId and c.id = o.chat_id
    where o.account_id = :accountId
      and o.id >= (select opt_outs_since from range) and o.id < (select opt_outs_until from range)
  ), ${STORE_LINE_ACTIVITY}
  update accounts a set line_activity_to = nullif(greatest(r.until, r.since), 0),
    line_opt_outs_to = nullif(greatest(r.opt_outs_until, r.opt_outs_since), ${NIL_UUID})
  from range r
  where a.id = :accountId
  returning a.id as "id!"`,
);
