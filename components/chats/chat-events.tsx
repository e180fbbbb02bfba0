"use client";

import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef } from "react";
import type { StreamStatus } from "@/lib/client/follow-events";
import { useEventStream } from "@/lib/client/use-event-stream";
import type { EventView } from "@/lib/events/store/event-view";

type Listener = (event: EventView) => void;

interface Hearing {
  onEvent: Listener;
  onReady?: () => void;
}

interface ChatEvents {
  listeners: Set<Listener>;
  status: StreamStatus;
}

const ChatEventsContext = createContext<ChatEvents | null>(null);

/** Shares one event stream between the chat list and the timeline, because browsers limit connections per host. */
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

/**
 * Calls `onEvent` for every event while the component is mounted. Calls `onReady` when the stream goes live, at first
 * and after every reconnect, so that the caller can fetch what it missed.
 */
export function useChatEvents({ onEvent, onReady }: Hearing): StreamStatus {
  const context = useContext(ChatEventsContext);
  if (context === null) throw new Error("useChatEvents needs a ChatEventsProvider");
  const { listeners, status } = context;
  const handleEvent = useEffectEvent(onEvent);
  const begin = useEffectEvent(() => onReady?.());

  useEffect(() => {
    const listener: Listener = (event) => handleEvent(event);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listeners]);

  // A component that mounts while the stream is live needs `onReady` too: it missed the events since its page was
  // rendered.
  useEffect(() => {
    if (status === "live") begin();
  }, [status]);

  return status;
}
