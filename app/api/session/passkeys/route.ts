import { ListOwnPasskeys, listOwnPasskeys } from "@/lib/identity/passkeys/list-own-passkeys";
import { RegisterOwnPasskey, registerOwnPasskey } from "@/lib/identity/passkeys/register-own-passkey";
import { authenticateIncompleteSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListOwnPasskeys, listOwnPasskeys, authenticateIncompleteSession);
export const POST = endpoint(RegisterOwnPasskey, registerOwnPasskey, authenticateIncompleteSession);
