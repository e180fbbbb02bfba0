import { EditMessage, editMessage } from "@/lib/messaging/edits/edit-message";
import { DeleteMessage, deleteMessage } from "@/lib/messaging/expiry/delete-message";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PATCH = endpoint(EditMessage, editMessage, authenticateSession);
export const DELETE = endpoint(DeleteMessage, deleteMessage, authenticateSession);
