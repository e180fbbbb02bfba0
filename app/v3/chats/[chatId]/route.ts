import { GetChat, getChat } from "@/lib/chats/get-chat";
import { UpdateChat, updateChat } from "@/lib/chats/update-chat";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetChat, getChat);
export const PUT = endpoint(UpdateChat, updateChat);
