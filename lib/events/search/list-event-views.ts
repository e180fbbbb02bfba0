import "server-only";
import { z } from "zod";
import { readableTypes } from "@/lib/events/catalog/hide-payload";
import { countDeliveries, DeliveryCounts } from "@/lib/events/search/count-deliveries";
import { findSubject, SUBJECT_KINDS } from "@/lib/events/search/find-subject";
import { prepareSearch } from "@/lib/events/search/prepare-search";
import type { EventPlace } from "@/lib/events/search/prepared-search";
import { DeliveryState } from "@/lib/events/store/delivery-state";
import { eventConditionFields } from "@/lib/events/store/event-conditions";
import { EventView, toEventView } from "@/lib/events/store/event-view";
import { type EventRow, toLoggedEvent } from "@/lib/events/store/logged-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, encodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countText, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { commaList } from "@/lib/platform/text/comma-list";
import { maxUnits } from "@/lib/platform/text/max-units";

const TIMEOUT_MS = 3000;

const SearchedEvent = EventView.extend({ deliveries: DeliveryCounts });

export const ListEventViews = contract({
  summary: "Search the events of the account",
  tag: "Events",
  right: "view_events",
  query: z.object({
    /** An id of any type in `found`, the number of an event, a trace ID, a phone number or an email address. */
    q: z.string().trim().check(maxUnits(320)).optional(),
    types: commaList(z.string()),
    ...eventConditionFields,
    /** At least one of the event's deliveries has this status. */
    status: DeliveryState.optional(),
    /** The event has a delivery to this subscription; with `status`, one in that status. */
    subscription_id: z.uuid().optional(),
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(200, 50),
  }),
  returns: z.object({
    events: z.array(SearchedEvent),
    next_cursor: z.string().nullable(),
    total: ListTotal,
    /** The object that `q` identifies; null without `q`, and when the account has no such object. */
    found: z.object({ kind: z.enum(SUBJECT_KINDS), id: z.string() }).nullable(),
    /**
     * The time back to which this page searched, when it stopped at its limit. Older events are on the next pages, even
     * if this page is short.
     */
    searched_back_to: z.iso.datetime().nullable(),
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

type Search = Input<typeof ListEventViews>["query"];
/** A page of search results. */
export type EventSearchPage = z.infer<typeof ListEventViews.returns>;

const NOTHING: EventSearchPage = {
  events: [],
  next_cursor: null,
  total: { count: 0, is_capped: false },
  found: null,
  searched_back_to: null,
};

const CursorKey = z.tuple([z.string().regex(/^\d{1,15}$/), z.iso.datetime()]);

/**
 * The account's partner-facing events by an id, type, line, chat, time, delivery or JSON path: newest first, keyset
 * pages. Each page reads a bounded number of events. Errors: parameter_invalid (an invalid JSON path, an unrecognized
 * `q`, or a search that exceeds its time limit).
 */
export async function listEventViews(ctx: Context, { query }: { query: Search }): Promise<EventSearchPage> {
  const types = query.json_path === undefined ? query.types : readableTypes(ctx, query.types);
  if (types === null) return NOTHING;
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const found = await boundedSearch(ctx.account.id, TIMEOUT_MS, async (tx) => {
    const subject = query.q ? await findSubject(tx, ctx.account.id, query.q) : null;
    if (query.q && subject === null) return null;

    const { page, end, matching } = await prepareSearch(
      tx,
      ctx.account.id,
      { ...query, types },
      { subject, after },
    );
    const rows = await tx.runText<EventRow>(page);
    const { items, nextCursor } = toPage(rows, query.limit, keyOf);
    const seqs = items.map((row) => row.seq);
    const counts = await countDeliveries(tx, ctx.account.id, seqs);
    const [last] = nextCursor === null && end !== null ? await tx.runText<EventPlace>(end) : [];

    return {
      page: { items, nextCursor: last === undefined ? nextCursor : encodeCursor(keyOf(last)) },
      matching,
      counts,
      subject,
      searchedBackTo: last?.created_at.toISOString() ?? null,
    };
  });
  if (found === null) return NOTHING;
  const { page, counts } = found;
  return {
    events: page.items.map((row) => ({ ...toEventView(toLoggedEvent(row)), deliveries: counts(row.seq) })),
    next_cursor: page.nextCursor,
    total: await totalOf(ctx, page, {
      cursor: query.cursor,
      count: found.matching && countText(found.matching),
    }),
    found: found.subject,
    searched_back_to: found.searchedBackTo,
  };
}

function keyOf({ seq, created_at }: EventPlace): readonly string[] {
  return [seq, created_at.toISOString()];
}

function readCursor(cursor: string): EventPlace {
  const [seq, createdAt] = decodeCursor(cursor, CursorKey);
  return { seq, created_at: new Date(createdAt) };
}

/** The events of an account as CSV. */
export const exportEvents = exportOf(ListEventViews, listEventViews, {
  summary: "Export the events of the account as CSV",
  filename: "events.csv",
  pageRows: 1000,
  itemsOf: (page) => page.events,
  columns: {
    seq: ({ seq }) => seq,
    event_id: ({ id }) => id,
    type: ({ type }) => type,
    created_at: ({ created_at }) => created_at,
    line_id: ({ line_id }) => line_id,
    chat_id: ({ chat_id }) => chat_id,
    message_id: ({ message_id }) => message_id,
    trace_id: ({ trace_id }) => trace_id,
    handle: ({ handle }) => handle,
    summary: ({ summary }) => summary,
    deliveries_delivered: ({ deliveries }) => deliveries.delivered,
    deliveries_waiting: ({ deliveries }) => deliveries.waiting,
    deliveries_stopped: ({ deliveries }) => deliveries.stopped,
    deliveries_failed: ({ deliveries }) => deliveries.failed,
    deliveries_skipped: ({ deliveries }) => deliveries.skipped,
  },
});
