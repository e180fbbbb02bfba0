import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListDeliveries, listDeliveries } from "@/lib/webhooks/list-deliveries";

export const GET = endpoint(ListDeliveries, listDeliveries, authenticateSession);
