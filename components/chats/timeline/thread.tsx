"use client";

import { createContext, useContext } from "react";
import { toast } from "@/components/data/toast";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { MessageView } from "@/lib/messaging/messages/message-view";

/** The actions that the user may perform on messages in the open chat. */
export interface Thread {
  /** The user's role may send messages. */
  mayAct: boolean;
  /** The line is in the chat and may send. */
  isUsable: boolean;
  line: string | null;
  /** Starts a reply that quotes the part in one line; null while sending is blocked. */
  reply: ((message: MessageView, partIndex: number, quote: string) => void) | null;
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

interface PendingAction {
  method: "POST" | "PATCH" | "DELETE";
  /** Appended to the message's URL. */
  path?: string;
  body?: unknown;
}

/** Calls the API for a message, then refreshes it or shows the error as a toast. Resolves to true on success. */
export function useMessageAction(messageId: string): (action: PendingAction) => Promise<boolean> {
  const { refresh } = useThread();
  return async ({ method, path = "", body }) => {
    try {
      await apiFetch(`/api/messages/${messageId}${path}`, { method, body });
      refresh(messageId);
      return true;
    } catch (error) {
      toast.error(error instanceof ApiFailure ? errorText(error) : "The action failed. Try again.");
      return false;
    }
  };
}

function errorText({ message, code }: ApiFailure): string {
  return code === undefined ? message : `${message} (${code})`;
}
