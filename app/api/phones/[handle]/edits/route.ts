import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { asPerson } from "@/lib/simulator/as-person";
import { EditOnPhone, editOnPhone } from "@/lib/simulator/edit-on-phone";

export const POST = endpoint(asPerson(EditOnPhone), editOnPhone, authenticateSession);
