"use client";

import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef } from "react";
import type { StreamStatus } from "@/lib/client/follow-events";
import { useEventStream } from "@/lib/client/use-event-stream";
import type { EventNotice } from "@/lib/events/event-notice";

type Listener = (event: EventNotice) => void;

interface Hearing {
  onEvent: Listener;
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
      for (const listener of listeners.current) listener(event);
    },
  });
  return <ChatEventsContext value={{ listeners: listeners.current, status }}>{children}</ChatEventsContext>;
}

/** Tells of every event while the caller is shown; `onReady` when the stream is live, at first and after each break: what was missed is to be read. */
export function useChatEvents({ onEvent, onReady }: Hearing): StreamStatus {
  const context = useContext(ChatEventsContext);
  if (context === null) throw new Error("useChatEvents needs a ChatEventsProvider");
  const { listeners, status } = context;
  const hear = useEffectEvent(onEvent);
  const begin = useEffectEvent(() => onReady?.());

  useEffect(() => {
    const listener: Listener = (event) => hear(event);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listeners]);

  // Also for who comes when the stream is under way already: it has missed what happened since its page was made.
  useEffect(() => {
    if (status === "live") begin();
  }, [status]);

  return status;
}
