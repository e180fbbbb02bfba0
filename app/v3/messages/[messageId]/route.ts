import { EditMessage, editMessage } from "@/lib/messaging/edits/edit-message";
import { DeleteMessage, deleteMessage } from "@/lib/messaging/expiry/delete-message";
import { GetMessage, getMessage } from "@/lib/messaging/messages/get-message";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetMessage, getMessage);
export const DELETE = endpoint(DeleteMessage, deleteMessage);
export const PATCH = endpoint(EditMessage, editMessage);
