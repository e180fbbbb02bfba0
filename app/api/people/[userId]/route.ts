import { ChangeRole, changeRole } from "@/lib/identity/people/change-role";
import { RemovePerson, removePerson } from "@/lib/identity/people/remove-person";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PATCH = endpoint(ChangeRole, changeRole, authenticateSession);
export const DELETE = endpoint(RemovePerson, removePerson, authenticateSession);
