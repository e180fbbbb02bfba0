import { ListChatViews, listChatViews } from "@/lib/messaging/inbox/list-chat-views";
import { createChat } from "@/lib/messaging/sending/create-chat";
import { CreateChatAsUser } from "@/lib/messaging/sending/create-chat-as-user";
import { TryCreateChat, tryCreateChat } from "@/lib/messaging/sending/try-create-chat";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListChatViews, listChatViews, authenticateSession);
export const POST = withDryRun(
  endpoint(CreateChatAsUser, createChat, authenticateSession),
  endpoint(TryCreateChat, tryCreateChat, authenticateSession),
);
