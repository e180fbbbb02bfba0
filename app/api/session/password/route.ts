import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ChangeOwnPassword, changeOwnPassword } from "@/lib/identity/users/change-own-password";

export const POST = endpoint(ChangeOwnPassword, changeOwnPassword, authenticateSession);
