import { MoveLine, moveLine } from "@/lib/lines/assignment/move-line";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(MoveLine, moveLine, authenticateSession);
