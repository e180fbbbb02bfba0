import { endpoint } from "@/lib/http/endpoint";
import { DeleteAttachment, deleteAttachment } from "@/lib/messaging/attachments/delete-attachment";
import { GetAttachment, getAttachment } from "@/lib/messaging/attachments/get-attachment";

export const GET = endpoint(GetAttachment, getAttachment);
export const DELETE = endpoint(DeleteAttachment, deleteAttachment);
