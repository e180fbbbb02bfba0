import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { FindObstacles, findObstacles } from "@/lib/messages/find-obstacles";

export const GET = endpoint(FindObstacles, findObstacles, authenticateSession);
