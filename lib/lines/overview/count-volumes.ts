import "server-only";
import { byKey, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { firstIdAt, timeOfId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** Longer than the time between creating a message's id and its commit, so no older message can still appear. */
const SETTLED_MS = 10 * 60_000;
/** Maximum range of one statement: one day of one account. */
const STEP_MS = 24 * 60 * 60_000;
const NONE = "00000000-0000-0000-0000-000000000000";

type DueAccount = RowOf<"accounts-to-count">;

/**
 * Counts each account's messages and chats that are older than ten minutes into `line_days`, each once. A job does this
 * so that concurrent sends of a line don't contend for one counter row. Ends early once `stop` is aborted. Returns the
 * number of steps.
 */
export async function countVolumes(stop: AbortSignal): Promise<number> {
  const until = firstIdAt(now().getTime() - SETTLED_MS);
  let steps = 0;
  while (!stop.aborted) {
    const due = await findDue(until);
    for (const account of due) {
      if (stop.aborted) break;
      await countStep(account, until);
      steps++;
    }
    if (due.length === 0) break;
  }
  return steps;
}

const ACCOUNTS_TO_COUNT = statement(
  "accounts-to-count",
  `select a.id, first.id as first from accounts a cross join lateral (
    select m.id from messages m
    where m.account_id = a.id and m.id >= coalesce(a.volumes_to, '${NONE}') order by m.id limit 1
  ) first where first.id < :until`,
);

function findDue(until: string): Promise<DueAccount[]> {
  return sql.run(ACCOUNTS_TO_COUNT, { until });
}

// Locks the account's row, so that a step that two processes run concurrently counts once. Each row of `created` is a
// message or a chat.
const COUNT = statement(
  "count-volumes",
  `with due as materialized (
    select id, coalesce(volumes_to, '${NONE}') as since from accounts where id = :id for no key update
  ), created as (
    select m.account_id, m.line_id, m.created_at, m.is_from_me, true as is_message
    from due d join messages m on ${byKey("m", { account_id: "d.id" })} and m.id >= d.since and m.id < :until
    union all
    select c.account_id, c.line_id, c.created_at, false, false
    from due d join chats c on ${byKey("c", { account_id: "d.id" })} and c.id >= d.since and c.id < :until
  ), counted as (
    select account_id, line_id, (created_at at time zone 'UTC')::date as day,
      count(*) filter (where is_message and is_from_me) as sent,
      count(*) filter (where is_message and not is_from_me) as received,
      count(*) filter (where not is_message) as new_chats
    from created group by 1, 2, 3 order by 1, 2, 3
  ), stored as (
    insert into line_days as l (account_id, line_id, day, sent, received, new_chats) select * from counted
    on conflict (account_id, day, line_id) do update
      set sent = l.sent + excluded.sent, received = l.received + excluded.received,
        new_chats = l.new_chats + excluded.new_chats
  )
  update accounts a set volumes_to = :until from due d where a.id = d.id and d.since < :until`,
);

async function countStep({ id, first }: DueAccount, until: string): Promise<void> {
  const step = firstIdAt(timeOfId(first) + STEP_MS);
  await sql.run(COUNT, { id, until: step < until ? step : until });
}
