import { DeleteAttachment, deleteAttachment } from "@/lib/attachments/files/delete-attachment";
import { ShowAttachment, showAttachment } from "@/lib/attachments/files/show-attachment";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ShowAttachment, showAttachment, authenticateSession);
export const DELETE = endpoint(DeleteAttachment, deleteAttachment, authenticateSession);
