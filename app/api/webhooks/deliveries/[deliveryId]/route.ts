import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { GetDeliveryView, getDeliveryView } from "@/lib/webhooks/deliveries/get-delivery-view";

export const GET = endpoint(GetDeliveryView, getDeliveryView, authenticateSession);
