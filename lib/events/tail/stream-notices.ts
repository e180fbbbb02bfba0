import "server-only";
import { EventNotice, toEventNotice } from "@/lib/events/store/event-notice";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { EventFilter, matchesFilter } from "@/lib/events/tail/event-filter";
import { EventPosition } from "@/lib/events/tail/event-position";
import { type StreamFrame, serverSentEvent } from "@/lib/events/tail/server-sent-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const StreamNotices = contract({
  summary: "Follow the live log of the account",
  tag: "Events",
  right: "view_events",
  query: EventFilter.extend({ after: EventPosition.optional() }),
  streams: EventNotice,
  status: 200,
  errors: ["access_denied", "parameter_invalid"],
});

/** Streams the dashboard's live log: a line for each event that matches the filter. */
export async function streamNotices(_: Context, { query }: Pick<Input<typeof StreamNotices>, "query">) {
  return {
    after: query.after ?? null,
    tell(event: LoggedEvent): StreamFrame {
      if (!matchesFilter(event, query)) return null;
      return serverSentEvent({ id: event.seq, data: toEventNotice(event) });
    },
  };
}
