import { CreateAttachment, createAttachment } from "@/lib/attachments/create-attachment";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(CreateAttachment, createAttachment, authenticateSession);
