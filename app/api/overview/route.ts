import { GetOverview, getOverview } from "@/lib/runtime/dashboard/get-overview";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetOverview, getOverview, authenticateSession);
