import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListDeliveries, listDeliveries } from "@/lib/webhooks/deliveries/list-deliveries";

export const GET = endpoint(ListDeliveries, listDeliveries);
