import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { GetEndpointStats, getEndpointStats } from "@/lib/webhooks/endpoints/get-endpoint-stats";

export const GET = endpoint(GetEndpointStats, getEndpointStats, authenticateSession);
