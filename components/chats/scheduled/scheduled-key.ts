import type { QueryClient } from "@tanstack/react-query";

/** The path and the query of the list of all scheduled messages. */
const SCHEDULED_LIST = "/api/scheduled-messages/views";

/** The query of the messages that are scheduled in a chat. */
export function scheduledKey(chatId: string): readonly string[] {
  return ["scheduled-messages", chatId];
}

/** Reads the scheduled messages of a chat again, wherever they are shown. */
export async function refreshScheduled(queryClient: QueryClient, chatId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: scheduledKey(chatId) }),
    queryClient.invalidateQueries({ queryKey: [SCHEDULED_LIST] }),
  ]);
}
