import { TotalAttachments, totalAttachments } from "@/lib/attachments/files/total-attachments";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(TotalAttachments, totalAttachments, authenticateSession);
