import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { SetReaction, setReaction } from "@/lib/messaging/reactions/set-reaction";

export const POST = endpoint(SetReaction, setReaction, authenticateSession);
