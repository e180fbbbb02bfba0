import { ListConversations, listConversations } from "@/lib/messaging/inbox/list-conversations";
import { createChat } from "@/lib/messaging/sending/create-chat";
import { CreateChatAsUser } from "@/lib/messaging/sending/create-chat-as-user";
import { TryCreateChat, tryCreateChat } from "@/lib/messaging/sending/try-create-chat";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListConversations, listConversations, authenticateSession);
export const POST = withDryRun(
  endpoint(CreateChatAsUser, createChat, authenticateSession),
  endpoint(TryCreateChat, tryCreateChat, authenticateSession),
);
