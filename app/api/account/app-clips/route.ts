import { RegisterAppClip, registerAppClip } from "@/lib/identity/accounts/register-app-clip";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(RegisterAppClip, registerAppClip, authenticateSession);
