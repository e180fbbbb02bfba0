import { GetChat, getChat } from "@/lib/chats/get-chat";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetChat, getChat);
