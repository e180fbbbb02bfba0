import { CreateChat, createChat } from "@/lib/chats/create-chat";
import { ListChats, listChats } from "@/lib/chats/list-chats";
import { TryCreateChat, tryCreateChat } from "@/lib/chats/try-create-chat";
import { endpoint } from "@/lib/http/endpoint";
import { withDryRun } from "@/lib/http/with-dry-run";

export const GET = endpoint(ListChats, listChats);
export const POST = withDryRun(endpoint(CreateChat, createChat), endpoint(TryCreateChat, tryCreateChat));
