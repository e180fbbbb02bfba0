import "server-only";
import { z } from "zod";
import { EventView, toEventView } from "@/lib/events/store/event-view";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { EventPosition } from "@/lib/events/tail/event-position";
import { type StreamFrame, serverSentEvent } from "@/lib/events/tail/server-sent-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { commaList } from "@/lib/platform/text/comma-list";

/**
 * The filter for the live log: types, a line, a chat. Empty matches everything. Internal events, such as an accepted
 * send, are included only with `internal=1`, for timelines.
 */
const EventFilter = z.object({
  types: commaList(z.string()),
  line_id: z.uuid().optional(),
  chat_id: z.uuid().optional(),
  internal: z.literal("1").optional(),
});

export const StreamEventViews = contract({
  summary: "Follow the live log of the account",
  tag: "Events",
  right: "view_events",
  query: EventFilter.extend({ after: EventPosition.optional() }),
  streams: EventView,
  status: 200,
  errors: ["access_denied", "parameter_invalid"],
});

/** A page that hears nothing for longer than this knows that its connection is lost (lib/client/follow-events.ts). */
const HEARTBEAT_MS = 4000;

/**
 * Streams the dashboard's live log: a line for each event that matches the filter, and heartbeats, which say that the page
 * has all events so far.
 */
export async function streamEventViews(_: Context, { query }: Pick<Input<typeof StreamEventViews>, "query">) {
  return {
    after: query.after ?? null,
    heartbeatMs: HEARTBEAT_MS,
    tellsHeartbeats: true,
    tell(event: LoggedEvent): StreamFrame {
      if (!matchesFilter(event, query)) return null;
      return serverSentEvent({ id: event.seq, data: toEventView(event) });
    },
  };
}

function matchesFilter(event: LoggedEvent, filter: z.output<typeof EventFilter>): boolean {
  const { types, line_id, chat_id } = filter;
  if (event.internal && filter.internal === undefined) return false;
  if (types.length > 0 && !types.includes(event.type)) return false;
  if (line_id !== undefined && event.lineId !== line_id) return false;
  return chat_id === undefined || event.chatId === chat_id;
}
