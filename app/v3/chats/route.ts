import { ListChats, listChats } from "@/lib/messaging/inbox/list-chats";
import { CreateChat, createChat } from "@/lib/messaging/sending/create-chat";
import { TryCreateChat, tryCreateChat } from "@/lib/messaging/sending/try-create-chat";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListChats, listChats);
export const POST = withDryRun(endpoint(CreateChat, createChat), endpoint(TryCreateChat, tryCreateChat));
