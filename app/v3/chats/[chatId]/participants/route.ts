import { AddParticipant, addParticipant } from "@/lib/chats/add-participant";
import { RemoveParticipant, removeParticipant } from "@/lib/chats/remove-participant";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(AddParticipant, addParticipant);
export const DELETE = endpoint(RemoveParticipant, removeParticipant);
