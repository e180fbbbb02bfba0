import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { exportConsumers } from "@/lib/webhooks/consumers/list-consumer-views";

export const GET = csvEndpoint(exportConsumers);
