import "server-only";
import {
  type EventPlace,
  type EventSearch,
  MAX_SEARCHED_ROWS,
  type PreparedSearch,
} from "@/lib/events/search/prepared-search";
import { indexedConditions, jsonPathCondition, Parameters } from "@/lib/events/store/event-conditions";
import { EVENT_COLUMNS } from "@/lib/events/store/logged-event";
import type { Sql } from "@/lib/platform/database/db";

/**
 * The statements for a page of events with a failed or skipped delivery after `after`, newest first. Reads the
 * deliveries with this status in the order of their events, and each event by its number, until the page is full.
 * Errors: parameter_invalid for an invalid JSON path.
 */
export async function searchOfDeliveries(
  tx: Sql,
  accountId: string,
  search: EventSearch,
  { status, after }: { status: "failed" | "skipped"; after: EventPlace | null },
): Promise<PreparedSearch> {
  const parameters = new Parameters();
  const seqs = seqsOf(parameters, accountId, search, { status, after });
  const ofDeliveries = [...parameters.values];
  const conditions = [
    ...indexedConditions(parameters, accountId, search),
    ...(await jsonPathCondition(tx, parameters, search)),
  ];
  const page = `select ${EVENT_COLUMNS} from (${seqs} limit ${MAX_SEARCHED_ROWS}) d cross join lateral (
      select * from events e where e.seq = d.event_seq and ${conditions.join(" and ")} offset 0
    ) e order by d.event_seq desc limit ${search.limit + 1}`;
  const end = `select d.event_seq as seq, coalesce(e.created_at, now()) as created_at
    from (${seqs} offset ${MAX_SEARCHED_ROWS - 1} limit 1) d
    left join events e on e.account_id = $1 and e.seq = d.event_seq`;
  return {
    page: { text: page, values: parameters.values },
    end: { text: end, values: ofDeliveries },
    matching: isNarrowed(search) ? null : { text: `select from (${seqs}) d`, values: ofDeliveries },
  };
}

// $1 is the account. An event with deliveries to several endpoints counts once.
function seqsOf(
  parameters: Parameters,
  accountId: string,
  { subscription_id }: EventSearch,
  { status, after }: { status: "failed" | "skipped"; after: EventPlace | null },
): string {
  const conditions = [`d.account_id = ${parameters.add(accountId)}`, `d.status = '${status}'`];
  if (subscription_id !== undefined)
    conditions.push(`d.subscription_id = ${parameters.add(subscription_id)}`);
  if (after !== null) conditions.push(`d.event_seq < ${parameters.add(after.seq)}::bigint`);
  return `select distinct d.event_seq from webhook_deliveries d where ${conditions.join(" and ")}
    order by d.event_seq desc`;
}

function isNarrowed({ types, line_id, json_path }: EventSearch): boolean {
  return types.length > 0 || line_id !== undefined || json_path !== undefined;
}
