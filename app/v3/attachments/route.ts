import { CreateAttachment, createAttachment } from "@/lib/attachments/files/create-attachment";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(CreateAttachment, createAttachment);
