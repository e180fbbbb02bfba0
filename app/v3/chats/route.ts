import { CreateChat, createChat } from "@/lib/messaging/chats/create-chat";
import { ListChats, listChats } from "@/lib/messaging/chats/list-chats";
import { TryCreateChat, tryCreateChat } from "@/lib/messaging/chats/try-create-chat";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListChats, listChats);
export const POST = withDryRun(endpoint(CreateChat, createChat), endpoint(TryCreateChat, tryCreateChat));
