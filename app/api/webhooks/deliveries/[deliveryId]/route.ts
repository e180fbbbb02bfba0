import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { GetDelivery, getDelivery } from "@/lib/webhooks/get-delivery";

export const GET = endpoint(GetDelivery, getDelivery, authenticateSession);
