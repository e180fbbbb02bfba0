import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { AddOptionsOnPhone, addOptionsOnPhone } from "@/lib/simulator/add-options-on-phone";
import { asPerson } from "@/lib/simulator/as-person";

export const POST = endpoint(asPerson(AddOptionsOnPhone), addOptionsOnPhone, authenticateSession);
