import { createChat } from "@/lib/chats/create-chat";
import { CreateChatAsUser } from "@/lib/chats/create-chat-as-user";
import { ListConversations, listConversations } from "@/lib/chats/list-conversations";
import { TryCreateChat, tryCreateChat } from "@/lib/chats/try-create-chat";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { withDryRun } from "@/lib/http/with-dry-run";

export const GET = endpoint(ListConversations, listConversations, authenticateSession);
export const POST = withDryRun(
  endpoint(CreateChatAsUser, createChat, authenticateSession),
  endpoint(TryCreateChat, tryCreateChat, authenticateSession),
);
