import { DeleteAttachment, deleteAttachment } from "@/lib/attachments/files/delete-attachment";
import { GetAttachment, getAttachment } from "@/lib/attachments/files/get-attachment";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetAttachment, getAttachment);
export const DELETE = endpoint(DeleteAttachment, deleteAttachment);
