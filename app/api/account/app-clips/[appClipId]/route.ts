import { RemoveAppClip, removeAppClip } from "@/lib/accounts/remove-app-clip";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const DELETE = endpoint(RemoveAppClip, removeAppClip, authenticateSession);
