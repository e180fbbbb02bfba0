import { CreateAttachment, createAttachment } from "@/lib/attachments/create-attachment";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(CreateAttachment, createAttachment);
