import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ReactOnPhone, reactOnPhone } from "@/lib/simulator/phone-actions/react-on-phone";

export const POST = endpoint(ReactOnPhone, reactOnPhone, authenticateSession);
