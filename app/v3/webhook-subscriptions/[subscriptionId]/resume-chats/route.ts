import { endpoint } from "@/lib/runtime/http/endpoint";
import { ResumeChats, resumeChats } from "@/lib/webhooks/deliveries/resume-chats";

export const POST = endpoint(ResumeChats, resumeChats);
