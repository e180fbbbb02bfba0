import { TotalAttachments, totalAttachments } from "@/lib/attachments/total-attachments";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(TotalAttachments, totalAttachments, authenticateSession);
