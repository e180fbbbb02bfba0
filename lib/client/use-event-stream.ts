"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { followEvents, type StreamStatus } from "@/lib/client/follow-events";
import { queryString } from "@/lib/client/query-string";
import type { EventView } from "@/lib/events/store/event-view";

export interface EventStreamOptions {
  /** false: no stream is opened. */
  isEnabled?: boolean;
  /** The event types to receive; empty = all. */
  types?: readonly string[] | undefined;
  lineId?: string | null | undefined;
  chatId?: string | null | undefined;
  /** Includes internal events that only timelines need. */
  internal?: boolean;
  /** The last event that the page has; null starts with new events. Only read when the stream is opened. */
  after?: number | null;
  onEvent: (event: EventView) => void;
  /** From now on, every event is received. Fetch again what happened before. */
  onReady?: () => void;
}

/** Follows the account's events while the page is visible. Returns the status of the connection. */
export function useEventStream(options: EventStreamOptions): StreamStatus {
  const [status, setStatus] = useState<StreamStatus>("connecting");
  const types = options.types?.join(",");
  const { lineId, chatId, internal, isEnabled = true } = options;
  const onEvent = useEffectEvent(options.onEvent);
  const onReady = useEffectEvent(() => options.onReady?.());
  const begin = useEffectEvent(() => options.after ?? null);

  useEffect(() => {
    if (!isEnabled) return;
    const filter = { types, line_id: lineId, chat_id: chatId, internal: internal ? 1 : null };
    const following = followEvents({
      address: (after) => `/api/events/stream${queryString({ ...filter, after })}`,
      after: begin(),
      onEvent: (event) => onEvent(event),
      onReady: () => onReady(),
      onStatus: setStatus,
    });
    return () => following.stop();
  }, [types, lineId, chatId, internal, isEnabled]);

  return status;
}
