import { DeleteAttachment, deleteAttachment } from "@/lib/attachments/files/delete-attachment";
import { GetAttachmentView, getAttachmentView } from "@/lib/attachments/files/get-attachment-view";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetAttachmentView, getAttachmentView, authenticateSession);
export const DELETE = endpoint(DeleteAttachment, deleteAttachment, authenticateSession);
