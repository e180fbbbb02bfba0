import { RemoveNamedParticipant, removeNamedParticipant } from "@/lib/messaging/groups/remove-participant";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(RemoveNamedParticipant, removeNamedParticipant);
