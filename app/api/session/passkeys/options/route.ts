import { OwnPasskeyOptions, ownPasskeyOptions } from "@/lib/identity/passkeys/register-own-passkey";
import { authenticateIncompleteSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(OwnPasskeyOptions, ownPasskeyOptions, authenticateIncompleteSession);
