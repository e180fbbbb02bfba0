import { exportEvents } from "@/lib/events/search/search-events";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportEvents);
