import "server-only";
import { type Subject, subjectCondition } from "@/lib/events/search/find-subject";
import {
  type EventPlace,
  type EventSearch,
  MAX_SEARCHED_ROWS,
  type PreparedSearch,
} from "@/lib/events/search/prepared-search";
import { searchOfDeliveries } from "@/lib/events/search/search-of-deliveries";
import { isStopped } from "@/lib/events/store/delivery-state";
import { chatBlock, seqBlock, timeBlock } from "@/lib/events/store/event-blocks";
import { indexedConditions, jsonPathCondition, Parameters } from "@/lib/events/store/event-conditions";
import { EVENT_COLUMNS } from "@/lib/events/store/logged-event";
import type { Sql } from "@/lib/platform/database/db";

/**
 * The statements for a page of events after `after`, newest first. Errors: parameter_invalid for an invalid JSON path.
 */
export async function prepareSearch(
  tx: Sql,
  accountId: string,
  search: EventSearch,
  { subject, after }: { subject: Subject | null; after: EventPlace | null },
): Promise<PreparedSearch> {
  if (isReadFromDeliveries(search, subject)) {
    return searchOfDeliveries(tx, accountId, search, { status: search.status, after });
  }
  const parameters = new Parameters();
  const order = orderOf(search, subject);
  const indexed = [
    ...indexedConditions(parameters, accountId, search),
    ...keyset(parameters, order, after),
    ...(subject === null ? [] : [subjectCondition(parameters, accountId, subject)]),
    ...deliveryConditions(parameters, accountId, search),
  ];
  const indexedValues = [...parameters.values];
  const looked = [
    ...(matchesMostEvents(search) ? [DELIVERED] : []),
    ...(await jsonPathCondition(tx, parameters, search)),
  ];

  const within = `from events e where ${indexed.join(" and ")} order by ${ORDERS[order]}`;
  const size = search.limit + 1;
  if (looked.length === 0) {
    return {
      page: { text: `select ${EVENT_COLUMNS} ${within} limit ${size}`, values: indexedValues },
      end: null,
      matching: { text: `select from events e where ${indexed.join(" and ")}`, values: indexedValues },
    };
  }
  const page = `select ${EVENT_COLUMNS} from (select * ${within} limit ${MAX_SEARCHED_ROWS}) e
    where ${looked.join(" and ")} order by ${ORDERS[order]} limit ${size}`;
  const end = `select e.seq, e.created_at ${within} offset ${MAX_SEARCHED_ROWS - 1} limit 1`;
  return {
    page: { text: page, values: parameters.values },
    end: { text: end, values: indexedValues },
    matching: null,
  };
}

// An index has the failed and skipped deliveries in the order of the log. A narrower filter finds fewer events.
function isReadFromDeliveries(
  search: EventSearch,
  subject: Subject | null,
): search is EventSearch & { status: "failed" | "skipped" } {
  const { status, chat_id, from, to } = search;
  if (status !== "failed" && status !== "skipped") return false;
  return [chat_id, from, to, subject ?? undefined].every((narrower) => narrower === undefined);
}

// All but `time` are the order of the log. Each is the order of other indexes.
const ORDERS = {
  seq: "e.seq desc",
  block: `${seqBlock("e.seq")} desc, e.seq desc`,
  chat: `${chatBlock("e.seq")} desc, e.seq desc`,
  time: `${timeBlock("e.created_at")} desc, e.created_at desc, e.seq desc`,
} as const;

function orderOf(search: EventSearch, subject: Subject | null): keyof typeof ORDERS {
  const { types, line_id, chat_id, from, to } = search;
  // A sandbox's clock can be set back, so the log is in time order only when sorted by time.
  if (from !== undefined || to !== undefined) return "time";
  if (chat_id !== undefined || subject?.kind === "chat") return "chat";
  if (subject !== null) return subject.kind === "line" ? "block" : "seq";
  return line_id !== undefined || types.length === 1 ? "block" : "seq";
}

function keyset(parameters: Parameters, order: keyof typeof ORDERS, after: EventPlace | null): string[] {
  if (after === null) return [];
  const seq = `${parameters.add(after.seq)}::bigint`;
  if (order === "seq") return [`e.seq < ${seq}`];
  if (order === "block") return [`${seqBlock("e.seq")} <= ${seqBlock(seq)}`, `e.seq < ${seq}`];
  if (order === "chat") return [`${chatBlock("e.seq")} <= ${chatBlock(seq)}`, `e.seq < ${seq}`];
  const time = `${parameters.add(after.created_at)}::timestamptz`;
  return [`${timeBlock("e.created_at")} <= ${timeBlock(time)}`, `(e.created_at, e.seq) < (${time}, ${seq})`];
}

// Most events are delivered, so a page scans them. Few events match other filters, and an index finds them.
function matchesMostEvents({ status, subscription_id }: EventSearch): boolean {
  return status === "delivered" && subscription_id === undefined;
}

const DELIVERED = `exists (select 1 from webhook_deliveries d
  where d.account_id = e.account_id and d.event_seq = e.seq and d.status = 'delivered')`;

const PENDING = "select d.event_seq from webhook_deliveries d where d.account_id = $account";
const SUBSCRIPTIONS = "select s.id from webhook_subscriptions s where s.account_id = $account";

const IN_STATE = {
  delivered: `${PENDING} and d.status = 'delivered' $of`,
  failed: `${PENDING} and d.status = 'failed' $of`,
  skipped: `${PENDING} and d.status = 'skipped' $of`,
  // Deliveries with a due time, those that a replay holds back, and those in a chat's queue.
  waiting: `${PENDING} and d.run_at is not null and d.subscription_id in (${SUBSCRIPTIONS}) $of
    union all ${PENDING} and d.replay_id is not null and d.status = 'waiting' $of
    union all ${PENDING} and d.queue_chat_id is not null and d.status = 'waiting' and not ${isStopped("d")} $of`,
  stopped: `${PENDING} and ${isStopped("d")} $of`,
} satisfies Record<NonNullable<EventSearch["status"]>, string>;

function deliveryConditions(parameters: Parameters, accountId: string, search: EventSearch): string[] {
  const { status, subscription_id } = search;
  if ((status === undefined && subscription_id === undefined) || matchesMostEvents(search)) return [];
  const account = parameters.add(accountId);
  const of =
    subscription_id === undefined ? "" : `and d.subscription_id = ${parameters.add(subscription_id)}`;
  const pending = (status === undefined ? `${PENDING} $of` : IN_STATE[status])
    .replaceAll("$account", account)
    .replaceAll("$of", of);
  return [`e.seq in (${pending})`];
}
