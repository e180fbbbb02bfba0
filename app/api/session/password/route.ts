import { RemoveOwnPassword, removeOwnPassword } from "@/lib/identity/passkeys/remove-own-password";
import { ChangeOwnPassword, changeOwnPassword } from "@/lib/identity/passwords/change-own-password";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ChangeOwnPassword, changeOwnPassword, authenticateSession);
export const DELETE = endpoint(RemoveOwnPassword, removeOwnPassword, authenticateSession);
