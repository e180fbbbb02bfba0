import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { exportWebhookEndpoints } from "@/lib/webhooks/export-webhook-endpoints";

export const GET = csvEndpoint(exportWebhookEndpoints);
