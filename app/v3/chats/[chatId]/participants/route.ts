import { AddParticipant, addParticipant } from "@/lib/messaging/groups/add-participant";
import { RemoveParticipant, removeParticipant } from "@/lib/messaging/groups/remove-participant";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(AddParticipant, addParticipant);
export const DELETE = endpoint(RemoveParticipant, removeParticipant);
