import { exportBlockedHandles } from "@/lib/recipients/blocks/list-blocked-handle-views";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportBlockedHandles);
