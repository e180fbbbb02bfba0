import { RemoveAppClip, removeAppClip } from "@/lib/identity/accounts/remove-app-clip";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(RemoveAppClip, removeAppClip, authenticateSession);
