import { GetChat, getChat } from "@/lib/messaging/chats/get-chat";
import { UpdateChat, updateChat } from "@/lib/messaging/groups/update-chat";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetChat, getChat);
export const PUT = endpoint(UpdateChat, updateChat);
