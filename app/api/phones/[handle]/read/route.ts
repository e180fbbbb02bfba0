import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { asPerson } from "@/lib/simulator/as-person";
import { ReadOnPhone, readOnPhone } from "@/lib/simulator/read-on-phone";

export const POST = endpoint(asPerson(ReadOnPhone), readOnPhone, authenticateSession);
