import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { exportDeliveries } from "@/lib/webhooks/deliveries/list-delivery-views";

export const GET = csvEndpoint(exportDeliveries);
