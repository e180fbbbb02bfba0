import { LeaveChat, leaveChat } from "@/lib/messaging/groups/leave-chat";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(LeaveChat, leaveChat);
