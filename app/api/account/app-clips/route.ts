import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { RegisterAppClip, registerAppClip } from "@/lib/identity/accounts/register-app-clip";

export const POST = endpoint(RegisterAppClip, registerAppClip, authenticateSession);
