import { AddParticipant, addParticipant } from "@/lib/messaging/chats/add-participant";
import { RemoveParticipant, removeParticipant } from "@/lib/messaging/chats/remove-participant";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(AddParticipant, addParticipant);
export const DELETE = endpoint(RemoveParticipant, removeParticipant);
