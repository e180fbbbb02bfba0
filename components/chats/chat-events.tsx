"use client";

import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef } from "react";
import type { StreamStatus } from "@/lib/client/follow-events";
import { useEventStream } from "@/lib/client/use-event-stream";
import type { EventNotice } from "@/lib/events/event-notice";

interface Listener {
  onEvent: (event: EventNotice) => void;
  onReady?: () => void;
}

interface ChatEvents {
  listeners: Set<Listener>;
  status: StreamStatus;
}

const ChatEventsContext = createContext<ChatEvents | null>(null);

/** One stream of events for the list and the timeline beside it: browsers allow a server few connections. */
export function ChatEventsProvider({ children }: { children: ReactNode }) {
  const listeners = useRef(new Set<Listener>());
  const status = useEventStream({
    internal: true,
    onEvent: (event) => {
      for (const listener of listeners.current) listener.onEvent(event);
    },
    onReady: () => {
      for (const listener of listeners.current) listener.onReady?.();
    },
  });
  return <ChatEventsContext value={{ listeners: listeners.current, status }}>{children}</ChatEventsContext>;
}

/** Tells of every event while the caller is shown; `onReady` after each break, when what was missed is to be read. */
export function useChatEvents({ onEvent, onReady }: Listener): StreamStatus {
  const context = useContext(ChatEventsContext);
  if (context === null) throw new Error("useChatEvents needs a ChatEventsProvider");
  const { listeners, status } = context;
  const hear = useEffectEvent(onEvent);
  const begin = useEffectEvent(() => onReady?.());
  // Who comes when the stream is under way already has missed what happened since the page was made.
  const catchUp = useEffectEvent(() => {
    if (status === "live") onReady?.();
  });

  useEffect(() => {
    const listener: Listener = { onEvent: (event) => hear(event), onReady: () => begin() };
    listeners.add(listener);
    catchUp();
    return () => {
      listeners.delete(listener);
    };
  }, [listeners]);

  return status;
}
