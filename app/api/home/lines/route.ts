import { GetHomeLines, getHomeLines } from "@/lib/runtime/dashboard/get-home-lines";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetHomeLines, getHomeLines, authenticateSession);
