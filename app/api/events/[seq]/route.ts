import { GetEvent, getEvent } from "@/lib/events/get-event";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetEvent, getEvent, authenticateSession);
