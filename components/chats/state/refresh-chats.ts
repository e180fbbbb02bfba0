import type { QueryClient } from "@tanstack/react-query";
import { teamsKey } from "@/components/teams/use-teams";

/** Reads anew what a change of chats can change, also the teams: the change may have failed because a team is gone. */
export async function refreshChats(queryClient: QueryClient): Promise<void> {
  const keys = [["conversations"], ["chat-team"], ["notes"], teamsKey];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
