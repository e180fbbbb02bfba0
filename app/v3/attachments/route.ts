import { endpoint } from "@/lib/http/endpoint";
import { CreateAttachment, createAttachment } from "@/lib/messaging/attachments/create-attachment";

export const POST = endpoint(CreateAttachment, createAttachment);
