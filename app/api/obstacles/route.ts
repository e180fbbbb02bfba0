import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { FindObstacles, findObstacles } from "@/lib/messaging/messages/find-obstacles";

export const GET = endpoint(FindObstacles, findObstacles, authenticateSession);
