import "server-only";
import { lastFinalEvent } from "@/lib/events/tail/last-final-event";
import { indexStep } from "@/lib/messaging/search/store/index-step";
import { INDEXED_EVENTS } from "@/lib/messaging/search/store/indexed-events";
import { sweepSearch } from "@/lib/messaging/search/store/sweep-search";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { ERASE_REST, runInBatches, SWEEP_REST } from "@/lib/platform/tasks/run-in-batches";
import { log } from "@/lib/platform/telemetry/log";

/** A run ends before the next one is due. The next one continues. */
const RUN_MS = 50_000;
/** Batches of the sweep in each run. */
const SWEEPS = 10;
/** Accounts without a message for this many events skip the events in one update. */
const IDLE_EVENTS = 262_144;

/**
 * Adds the messages that were stored, edited or completed since the last run to `message_search`, and the earlier
 * messages of accounts that it has not read yet, newest first. The events of an account say which messages these are. A
 * message counts from the commit of its event, however late, and each step and its progress are one transaction, so none
 * is left out or lost with the process. Removes the messages of accounts that switched the search off, and at the end,
 * of some batches, those that were erased without it. Ends early once `stop` is aborted. Returns the number of steps.
 */
export async function indexMessages(stop: AbortSignal): Promise<number> {
  const until = performance.now() + RUN_MS;
  const failed = new Set<string>();
  let steps = 0;
  const indexNext = async () => {
    const last = await lastFinalEvent(sql, stop);
    if (last === null || performance.now() > until) return false;
    const due = (await findDue(last)).filter((id) => !failed.has(id));
    for (const accountId of due) {
      if (stop.aborted) return false;
      await indexStep(accountId, last).catch((error: unknown) => {
        failed.add(accountId);
        log.error(
          { err: error, account: accountId },
          "messages were not added to the search and will be retried",
        );
      });
      steps++;
    }
    if (due.length === 0)
      await sql.run(SKIP_IDLE_EVENTS, { last, before: last - IDLE_EVENTS, failed: [...failed] });
    return due.length > 0;
  };
  await runInBatches(indexNext, { rest: ERASE_REST, stop });
  let sweeps = 0;
  await runInBatches(async () => sweeps++ < SWEEPS && (await sweepSearch()), { rest: SWEEP_REST, stop });
  return steps;
}

const ACCOUNTS_TO_INDEX = statement(
  "accounts-to-index",
  `select a.id from accounts a left join message_search_progress p on p.account_id = a.id
  where case when a.message_search then p.events_to is null or p.messages_from is not null or exists (
      select from events e
      where e.account_id = a.id and e.seq > p.events_to and e.seq <= :last and e.type = any(:types) offset 0)
    else p.events_to is not null end`,
);

async function findDue(last: number): Promise<string[]> {
  const rows = await sql.run(ACCOUNTS_TO_INDEX, { last, types: INDEXED_EVENTS });
  return rows.map(({ id }) => id);
}

// So that the next runs don't read the events of accounts that only have others. None of these accounts has a message up
// to `last`.
const SKIP_IDLE_EVENTS = statement(
  "skip-idle-events",
  `update message_search_progress set events_to = :last where events_to < :before and account_id <> all(:failed::uuid[])`,
);
