import { LeaveChat, leaveChat } from "@/lib/messaging/chats/leave-chat";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(LeaveChat, leaveChat);
