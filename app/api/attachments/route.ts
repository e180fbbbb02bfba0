import { CreateAttachment, createAttachment } from "@/lib/attachments/files/create-attachment";
import { ListAttachmentViews, listAttachmentViews } from "@/lib/attachments/files/list-attachment-views";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListAttachmentViews, listAttachmentViews, authenticateSession);
export const POST = endpoint(CreateAttachment, createAttachment, authenticateSession);
