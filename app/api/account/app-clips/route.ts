import { RegisterAppClip, registerAppClip } from "@/lib/accounts/register-app-clip";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(RegisterAppClip, registerAppClip, authenticateSession);
