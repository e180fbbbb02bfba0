import { RemoveNamedParticipant, removeNamedParticipant } from "@/lib/messaging/chats/remove-participant";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(RemoveNamedParticipant, removeNamedParticipant);
