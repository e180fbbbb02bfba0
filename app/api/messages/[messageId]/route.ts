import { DeleteMessage, deleteMessage } from "@/lib/messaging/messages/delete-message";
import { EditMessage, editMessage } from "@/lib/messaging/messages/edit-message";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PATCH = endpoint(EditMessage, editMessage, authenticateSession);
export const DELETE = endpoint(DeleteMessage, deleteMessage, authenticateSession);
