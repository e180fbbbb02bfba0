import { endpoint } from "@/lib/http/endpoint";
import { LeaveChat, leaveChat } from "@/lib/messaging/chats/leave-chat";

export const POST = endpoint(LeaveChat, leaveChat);
