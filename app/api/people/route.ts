import { InvitePerson, invitePerson } from "@/lib/identity/users/invite-person";
import { ListPeople, listPeople } from "@/lib/identity/users/list-people";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListPeople, listPeople, authenticateSession);
export const POST = endpoint(InvitePerson, invitePerson, authenticateSession);
