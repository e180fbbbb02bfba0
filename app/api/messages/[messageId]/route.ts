import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { DeleteMessage, deleteMessage } from "@/lib/messaging/messages/delete-message";
import { EditMessage, editMessage } from "@/lib/messaging/messages/edit-message";

export const PATCH = endpoint(EditMessage, editMessage, authenticateSession);
export const DELETE = endpoint(DeleteMessage, deleteMessage, authenticateSession);
