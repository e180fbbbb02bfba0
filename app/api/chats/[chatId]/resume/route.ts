import { ResumeChat, resumeChat } from "@/lib/messaging/loops/resume-chat";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ResumeChat, resumeChat, authenticateSession);
