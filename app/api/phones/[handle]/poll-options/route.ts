import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { AddOptionsOnPhone, addOptionsOnPhone } from "@/lib/simulator/phone-actions/add-options-on-phone";

export const POST = endpoint(AddOptionsOnPhone, addOptionsOnPhone, authenticateSession);
