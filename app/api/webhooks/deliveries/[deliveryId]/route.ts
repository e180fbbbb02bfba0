import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { GetDelivery, getDelivery } from "@/lib/webhooks/get-delivery";

export const GET = endpoint(GetDelivery, getDelivery, authenticateSession);
