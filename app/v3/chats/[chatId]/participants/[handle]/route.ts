import { RemoveNamedParticipant, removeNamedParticipant } from "@/lib/chats/remove-participant";
import { endpoint } from "@/lib/http/endpoint";

export const DELETE = endpoint(RemoveNamedParticipant, removeNamedParticipant);
