import { FindSendBlockers, findSendBlockers } from "@/lib/messaging/sending/find-send-blockers";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(FindSendBlockers, findSendBlockers, authenticateSession);
