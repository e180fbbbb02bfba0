import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { EditOnPhone, editOnPhone } from "@/lib/simulator/phone-actions/edit-on-phone";

export const POST = endpoint(EditOnPhone, editOnPhone, authenticateSession);
