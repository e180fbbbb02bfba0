import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { DeleteByHand, deleteByHand } from "@/lib/messaging/attachments/delete-by-hand";
import { ShowAttachment, showAttachment } from "@/lib/messaging/attachments/show-attachment";

export const GET = endpoint(ShowAttachment, showAttachment, authenticateSession);
export const DELETE = endpoint(DeleteByHand, deleteByHand, authenticateSession);
