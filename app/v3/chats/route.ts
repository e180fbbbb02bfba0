import { CreateChat, createChat } from "@/lib/messaging/chats/create-chat";
import { ListChats, listChats } from "@/lib/messaging/chats/list-chats";
import { TryCreateChat, tryCreateChat } from "@/lib/messaging/chats/try-create-chat";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { withDryRun } from "@/lib/runtime/http/with-dry-run";

export const GET = endpoint(ListChats, listChats);
export const POST = withDryRun(endpoint(CreateChat, createChat), endpoint(TryCreateChat, tryCreateChat));
