import { ProveIdentity, proveIdentity } from "@/lib/identity/sign-in/prove-identity";
import { authenticateIncompleteSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ProveIdentity, proveIdentity, authenticateIncompleteSession);
