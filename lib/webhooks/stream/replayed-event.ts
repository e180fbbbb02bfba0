import "server-only";
import { z } from "zod";
import { type LoggedEvent, selectEvent } from "@/lib/events/store/logged-event";
import { sql } from "@/lib/platform/database/db";
import { log } from "@/lib/platform/telemetry/log";

/** The internal event for a delivery of an earlier event. */
const REPLAYED = "webhook.replayed";

const EventData = z.object({ event_seq: z.coerce.number().int(), replay_id: z.uuid() });

export interface Replay {
  /** The replay's id. */
  id: string;
  /** The position in the log at which the event is repeated. */
  seq: number;
  event: LoggedEvent;
}

const found = new WeakMap<LoggedEvent, Promise<Replay | null>>();

export function isReplay(event: LoggedEvent): boolean {
  return event.internal && event.type === REPLAYED;
}

/**
 * Reads the event that a replay repeats. Returns null when it was deleted. Streams that receive the same event share
 * one query.
 */
export function findReplay(event: LoggedEvent): Promise<Replay | null> {
  const known = found.get(event) ?? read(event);
  found.set(event, known);
  return known;
}

async function read({ accountId, data, seq }: LoggedEvent): Promise<Replay | null> {
  const details = EventData.safeParse(data);
  if (!details.success) {
    log.error({ err: details.error, seq }, "a replay does not reference the event it repeats");
    return null;
  }
  const event = await selectEvent(sql, accountId, details.data.event_seq);
  return event === null || event.internal ? null : { id: details.data.replay_id, seq, event };
}
