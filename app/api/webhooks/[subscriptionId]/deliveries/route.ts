import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListDeliveryViews, listDeliveryViews } from "@/lib/webhooks/deliveries/list-delivery-views";

export const GET = endpoint(ListDeliveryViews, listDeliveryViews, authenticateSession);
