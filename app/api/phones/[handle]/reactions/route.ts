import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { asPerson } from "@/lib/simulator/as-person";
import { ReactOnPhone, reactOnPhone } from "@/lib/simulator/react-on-phone";

export const POST = endpoint(asPerson(ReactOnPhone), reactOnPhone, authenticateSession);
