import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { TotalAttachments, totalAttachments } from "@/lib/messaging/attachments/total-attachments";

export const GET = endpoint(TotalAttachments, totalAttachments, authenticateSession);
