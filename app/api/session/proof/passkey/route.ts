import { ProveWithPasskey, proveWithPasskey } from "@/lib/identity/passkeys/prove-with-passkey";
import { authenticateIncompleteSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ProveWithPasskey, proveWithPasskey, authenticateIncompleteSession);
