import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { asPerson } from "@/lib/simulator/as-person";
import { ChangeGroupOnPhone, changeGroupOnPhone } from "@/lib/simulator/change-group-on-phone";

export const PUT = endpoint(asPerson(ChangeGroupOnPhone), changeGroupOnPhone, authenticateSession);
