import { endpoint } from "@/lib/http/endpoint";
import { AddParticipant, addParticipant } from "@/lib/messaging/chats/add-participant";
import { RemoveParticipant, removeParticipant } from "@/lib/messaging/chats/remove-participant";

export const POST = endpoint(AddParticipant, addParticipant);
export const DELETE = endpoint(RemoveParticipant, removeParticipant);
