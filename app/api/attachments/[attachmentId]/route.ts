import { DeleteByHand, deleteByHand } from "@/lib/messaging/attachments/delete-by-hand";
import { ShowAttachment, showAttachment } from "@/lib/messaging/attachments/show-attachment";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ShowAttachment, showAttachment, authenticateSession);
export const DELETE = endpoint(DeleteByHand, deleteByHand, authenticateSession);
