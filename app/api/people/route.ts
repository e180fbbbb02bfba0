import { InvitePerson, invitePerson } from "@/lib/identity/people/invite-person";
import { ListPeople, listPeople } from "@/lib/identity/people/list-people";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListPeople, listPeople, authenticateSession);
export const POST = endpoint(InvitePerson, invitePerson, authenticateSession);
