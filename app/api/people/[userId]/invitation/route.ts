import { ResendInvitation, resendInvitation } from "@/lib/identity/people/invite-person";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ResendInvitation, resendInvitation, authenticateSession);
