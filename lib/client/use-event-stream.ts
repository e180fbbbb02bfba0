"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { followEvents, type StreamStatus } from "@/lib/client/follow-events";
import { queryString } from "@/lib/client/query-string";
import type { EventNotice } from "@/lib/events/event-notice";

export interface EventStreamOptions {
  /** False follows nothing. */
  isEnabled?: boolean;
  /** Only these types; empty is all. */
  types?: readonly string[] | undefined;
  lineId?: string | null | undefined;
  chatId?: string | null | undefined;
  /** With events that only timelines need. */
  internal?: boolean;
  /** The last event the page already has; null begins now. Looked at when the stream begins. */
  after?: number | null;
  onEvent: (event: EventNotice) => void;
  /** All that happens from here on will arrive; what happened before, read again. */
  onReady?: () => void;
}

/** Follows the account's events while the page is looked at, and says how the connection stands. */
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
