import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { CreateAttachment, createAttachment } from "@/lib/messaging/attachments/create-attachment";
import { SearchAttachments, searchAttachments } from "@/lib/messaging/attachments/search-attachments";

export const GET = endpoint(SearchAttachments, searchAttachments, authenticateSession);
export const POST = endpoint(CreateAttachment, createAttachment, authenticateSession);
