import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { exportWebhookSubscriptions } from "@/lib/webhooks/endpoints/list-webhook-subscription-views";

export const GET = csvEndpoint(exportWebhookSubscriptions);
