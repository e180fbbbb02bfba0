import { endpoint } from "@/lib/http/endpoint";
import { RemoveNamedParticipant, removeNamedParticipant } from "@/lib/messaging/chats/remove-participant";

export const DELETE = endpoint(RemoveNamedParticipant, removeNamedParticipant);
