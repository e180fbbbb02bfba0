import { createChat } from "@/lib/messaging/chats/create-chat";
import { CreateChatAsUser } from "@/lib/messaging/chats/create-chat-as-user";
import { ListConversations, listConversations } from "@/lib/messaging/chats/list-conversations";
import { TryCreateChat, tryCreateChat } from "@/lib/messaging/chats/try-create-chat";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListConversations, listConversations, authenticateSession);
export const POST = withDryRun(
  endpoint(CreateChatAsUser, createChat, authenticateSession),
  endpoint(TryCreateChat, tryCreateChat, authenticateSession),
);
