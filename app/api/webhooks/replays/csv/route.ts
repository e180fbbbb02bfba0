import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { exportReplays } from "@/lib/webhooks/replays/list-replays";

export const GET = csvEndpoint(exportReplays);
