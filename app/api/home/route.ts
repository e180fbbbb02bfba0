import { GetHome, getHome } from "@/lib/runtime/dashboard/get-home";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetHome, getHome, authenticateSession);
