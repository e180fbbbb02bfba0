"use client";

import { createContext, useContext } from "react";
import { toast } from "sonner";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { TimelineMessage } from "@/lib/messaging/messages/timeline-message";

/** What a reader may do with the messages of the chat that is shown. */
export interface Thread {
  /** The role may act at all. */
  mayAct: boolean;
  /** The line is in the chat and may send. */
  isUsable: boolean;
  line: string | null;
  /** Begins a reply; null while nothing can be written. */
  reply: ((message: TimelineMessage, partIndex: number) => void) | null;
  refresh: (messageId: string) => void;
}

const ThreadContext = createContext<Thread>({
  mayAct: false,
  isUsable: false,
  line: null,
  reply: null,
  refresh: () => {},
});

export const ThreadProvider = ThreadContext;

export function useThread(): Thread {
  return useContext(ThreadContext);
}

interface Deed {
  method: "POST" | "PATCH" | "DELETE";
  /** Below the message's own address. */
  path?: string;
  body?: unknown;
}

/** Does something to a message and shows it as it is then; what kept it from being done is told. True when done. */
export function useMessageDeed(messageId: string): (deed: Deed) => Promise<boolean> {
  const { refresh } = useThread();
  return async ({ method, path = "", body }) => {
    try {
      await apiFetch(`/api/messages/${messageId}${path}`, { method, body });
      refresh(messageId);
      return true;
    } catch (error) {
      toast.error(error instanceof ApiFailure ? wordsOf(error) : "It was not done. Try again.");
      return false;
    }
  };
}

function wordsOf({ message, code }: ApiFailure): string {
  return code === undefined ? message : `${message} (${code})`;
}
