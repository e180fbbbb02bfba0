import { endpoint } from "@/lib/http/endpoint";
import { GetChat, getChat } from "@/lib/messaging/chats/get-chat";
import { UpdateChat, updateChat } from "@/lib/messaging/chats/update-chat";

export const GET = endpoint(GetChat, getChat);
export const PUT = endpoint(UpdateChat, updateChat);
