import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ProveIdentity, proveIdentity } from "@/lib/identity/users/prove-identity";

export const POST = endpoint(ProveIdentity, proveIdentity, authenticateSession);
