import { GetEvent, getEvent } from "@/lib/events/get-event";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetEvent, getEvent, authenticateSession);
