import "server-only";
import { z } from "zod";
import { EventFilter } from "@/lib/events/event-filter";
import { EventNotice, toEventNotice } from "@/lib/events/event-notice";
import { selectEventsBefore } from "@/lib/events/logged-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/page";

export const ListEvents = contract({
  summary: "List the events of the account",
  tag: "Events",
  query: EventFilter.pick({ types: true, line_id: true }).extend({
    cursor: z.string().max(200).optional(),
    limit: limitParameter(200, 50),
  }),
  returns: z.object({ events: z.array(EventNotice), next_cursor: z.string().nullable() }),
  status: 200,
  errors: ["parameter_invalid"],
});

const CursorKey = z.tuple([z.string().regex(/^\d{1,15}$/)]);

/** The account's events, newest first, of some types or of one line. Internal ones are not listed. */
export async function listEvents(ctx: Context, { query }: Pick<Input<typeof ListEvents>, "query">) {
  const { types, line_id, cursor, limit } = query;
  const rows = await selectEventsBefore(sql, {
    accountId: ctx.account.id,
    before: cursor === undefined ? null : Number(decodeCursor(cursor, CursorKey)[0]),
    types,
    lineId: line_id ?? null,
    limit: limit + 1,
  });

  const page = toPage(rows, limit, (row) => [String(row.seq)]);
  return { events: page.items.map(toEventNotice), next_cursor: page.nextCursor };
}
