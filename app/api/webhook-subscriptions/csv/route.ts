import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { exportWebhookEndpoints } from "@/lib/webhooks/endpoints/list-webhook-endpoints";

export const GET = csvEndpoint(exportWebhookEndpoints);
