"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useChatEvents } from "@/components/chats/chat-events";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { useThrottled } from "@/lib/client/use-throttled";
import type { ChatNote } from "@/lib/messaging/team/chat-note";

const REFRESH_MS = 500;

// Payment events carry the id of the message that requested the payment.
function isNoted({ message_id, type }: { message_id: string | null; type: string }): boolean {
  return message_id === null ? type !== "chat.turn" : type.startsWith("payment_request.");
}

/** The notes of a chat (events other than messages), oldest first, fetched again when an event adds one. */
export function useNotes(chatId: string, initial: ChatNote[]): ChatNote[] {
  const queryClient = useQueryClient();
  const queryKey = ["notes", chatId];
  const refresh = useThrottled(() => void queryClient.invalidateQueries({ queryKey }), REFRESH_MS);
  useChatEvents({
    onEvent: (event) => {
      if (event.chat_id === chatId && isNoted(event)) refresh();
    },
    onReady: refresh,
  });
  const { data } = useQuery<{ notes: ChatNote[] }, ApiFailure>({
    queryKey,
    queryFn: ({ signal }) => apiFetch(`/api/chats/${chatId}/notes`, { signal }),
    initialData: { notes: initial },
  });
  return data.notes;
}
