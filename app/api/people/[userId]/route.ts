import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ChangeRole, changeRole } from "@/lib/identity/users/change-role";
import { RemovePerson, removePerson } from "@/lib/identity/users/remove-person";

export const PATCH = endpoint(ChangeRole, changeRole, authenticateSession);
export const DELETE = endpoint(RemovePerson, removePerson, authenticateSession);
