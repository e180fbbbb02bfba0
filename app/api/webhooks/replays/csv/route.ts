import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { exportReplays } from "@/lib/webhooks/list-replays";

export const GET = csvEndpoint(exportReplays);
