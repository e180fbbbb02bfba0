import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { GetEndpointStats, getEndpointStats } from "@/lib/webhooks/get-endpoint-stats";

export const GET = endpoint(GetEndpointStats, getEndpointStats, authenticateSession);
