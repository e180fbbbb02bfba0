import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { exportDeliveries } from "@/lib/webhooks/deliveries/list-deliveries";

export const GET = csvEndpoint(exportDeliveries);
