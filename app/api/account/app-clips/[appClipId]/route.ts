import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { RemoveAppClip, removeAppClip } from "@/lib/identity/accounts/remove-app-clip";

export const DELETE = endpoint(RemoveAppClip, removeAppClip, authenticateSession);
