import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { InvitePerson, invitePerson } from "@/lib/identity/users/invite-person";
import { ListPeople, listPeople } from "@/lib/identity/users/list-people";

export const GET = endpoint(ListPeople, listPeople, authenticateSession);
export const POST = endpoint(InvitePerson, invitePerson, authenticateSession);
