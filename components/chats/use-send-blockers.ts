"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useChatEvents } from "@/components/chats/chat-events";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import { useThrottled } from "@/lib/client/use-throttled";
import type { TargetSendBlockers } from "@/lib/messaging/sending/find-send-blockers";
import type { SendBlocker } from "@/lib/messaging/sending/send-blocker";

type Places = { places: TargetSendBlockers[] };

const REFRESH_MS = 1000;
// Blocks, manual opt-outs and flags on lines emit no chat event.
const REREAD_MS = 20_000;

/** The current reasons why the chat can't be written to. */
export function useSendBlockers(chatId: string, initial: SendBlocker[]): SendBlocker[] {
  const queryClient = useQueryClient();
  const queryKey = ["send-blockers", chatId];
  const refresh = useThrottled(() => void queryClient.invalidateQueries({ queryKey }), REFRESH_MS);
  useChatEvents({
    onEvent: (event) => {
      if (event.chat_id === chatId || event.type.startsWith("phone_number.")) refresh();
      // An answer has no quiet hours.
      if (event.chat_id === chatId && event.type === "message.received")
        void queryClient.invalidateQueries({ queryKey: ["send-plan", `/api/chats/${chatId}/messages`] });
    },
    onReady: refresh,
  });
  const { data } = useQuery<Places, ApiFailure, SendBlocker[]>({
    queryKey,
    queryFn: ({ signal }) => apiFetch(`/api/send-blockers${queryString({ chat_id: chatId })}`, { signal }),
    initialData: { places: [{ chat_id: chatId, line: null, sendBlockers: initial }] },
    refetchInterval: REREAD_MS,
    select: ({ places }) => places[0]?.sendBlockers ?? [],
  });
  return data;
}
