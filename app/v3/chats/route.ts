import { CreateChat, createChat } from "@/lib/chats/create-chat";
import { ListChats, listChats } from "@/lib/chats/list-chats";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListChats, listChats);
export const POST = endpoint(CreateChat, createChat);
