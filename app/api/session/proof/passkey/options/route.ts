import { PasskeyProofOptions, passkeyProofOptions } from "@/lib/identity/passkeys/prove-with-passkey";
import { authenticateIncompleteSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(PasskeyProofOptions, passkeyProofOptions, authenticateIncompleteSession);
