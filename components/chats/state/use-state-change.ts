"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refreshChats } from "@/components/chats/state/refresh-chats";
import { toast } from "@/components/data/toast";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ChatStateChange } from "@/lib/messaging/team/chat-state";

const DONE = { open: "Chat reopened", closed: "Chat closed", snoozed: "Chat snoozed" };

/** Closes, snoozes or reopens the open chat. A toast offers to reopen a chat that was put away. */
export function useStateChange(chatId: string) {
  const queryClient = useQueryClient();
  const change = useMutation<void, ApiFailure, ChatStateChange>({
    mutationFn: (body) => apiFetch(`/api/chats/${chatId}/state`, { method: "PUT", body }),
    onSuccess: (_, { state }) => {
      const undo = { label: "Undo", onClick: () => change.mutate({ state: "open" }) };
      toast.success(DONE[state], state === "open" ? undefined : { action: undo });
    },
    onError: (failure) => toast.error(failure.message),
    onSettled: () => refreshChats(queryClient),
  });
  return change;
}
