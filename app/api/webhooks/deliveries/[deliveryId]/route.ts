import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { GetDelivery, getDelivery } from "@/lib/webhooks/deliveries/get-delivery";

export const GET = endpoint(GetDelivery, getDelivery, authenticateSession);
