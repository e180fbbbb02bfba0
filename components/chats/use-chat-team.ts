"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useChatEvents } from "@/components/chats/chat-events";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { useThrottled } from "@/lib/client/use-throttled";
import type { ChatTeam } from "@/lib/messaging/team/get-chat-team";

const REFRESH_MS = 300;
// An idle chat goes back by time alone.
const REREAD_MS = 20_000;

/** The team's state of a chat: who holds it and who looks after it. */
export function useChatTeam(chatId: string, initial: ChatTeam): ChatTeam {
  const queryClient = useQueryClient();
  const queryKey = ["chat-team", chatId];
  const refresh = useThrottled(() => void queryClient.invalidateQueries({ queryKey }), REFRESH_MS);
  useChatEvents({
    onEvent: (event) => {
      if (event.chat_id === chatId) refresh();
    },
    onReady: refresh,
  });
  const { data } = useQuery<ChatTeam, ApiFailure>({
    queryKey,
    queryFn: ({ signal }) => apiFetch(`/api/chats/${chatId}/team`, { signal }),
    initialData: initial,
    refetchInterval: REREAD_MS,
  });
  return data;
}
