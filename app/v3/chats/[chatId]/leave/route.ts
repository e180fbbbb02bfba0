import { LeaveChat, leaveChat } from "@/lib/chats/leave-chat";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(LeaveChat, leaveChat);
