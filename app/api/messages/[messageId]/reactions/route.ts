import { SetReaction, setReaction } from "@/lib/messaging/reactions/set-reaction";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(SetReaction, setReaction, authenticateSession);
