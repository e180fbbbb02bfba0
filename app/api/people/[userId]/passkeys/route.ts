import { RemovePersonPasskeys, removePersonPasskeys } from "@/lib/identity/passkeys/remove-person-passkeys";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(RemovePersonPasskeys, removePersonPasskeys, authenticateSession);
