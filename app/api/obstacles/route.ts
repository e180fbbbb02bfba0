import { FindObstacles, findObstacles } from "@/lib/messaging/messages/find-obstacles";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(FindObstacles, findObstacles, authenticateSession);
