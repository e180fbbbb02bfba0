import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { GetOverview, getOverview } from "@/lib/identity/accounts/get-overview";

export const GET = endpoint(GetOverview, getOverview, authenticateSession);
