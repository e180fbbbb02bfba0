import { CreateAttachment, createAttachment } from "@/lib/attachments/files/create-attachment";
import { SearchAttachments, searchAttachments } from "@/lib/attachments/files/search-attachments";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(SearchAttachments, searchAttachments, authenticateSession);
export const POST = endpoint(CreateAttachment, createAttachment, authenticateSession);
