import "server-only";
import type { ChangedChat } from "@/lib/messaging/chats/change-chat";
import { findParticipants } from "@/lib/messaging/chats/find-participants";
import type { Sql } from "@/lib/platform/database/db";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** The current and former participants of a chat. */
export interface Party {
  /** The line's participant. */
  me: ChatHandle;
  byHandle: ReadonlyMap<string, ChatHandle>;
}

/** Returns the line's participant and all others of a chat. Throws when the account has no such chat. */
export async function findParty(
  on: Sql,
  { accountId, chatId }: Pick<ChangedChat, "accountId" | "chatId">,
): Promise<Party> {
  const everyone = [...(await findParticipants(accountId, chatId, on)).values()];
  const me = everyone.find((participant) => participant.is_me);
  if (me === undefined) throw new Error(`chat ${chatId} is without our line`);
  return { me, byHandle: new Map(everyone.map((participant) => [participant.handle, participant])) };
}
