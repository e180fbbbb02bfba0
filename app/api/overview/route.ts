import { GetOverview, getOverview } from "@/lib/accounts/get-overview";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetOverview, getOverview, authenticateSession);
