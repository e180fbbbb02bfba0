import { exportEvents } from "@/lib/events/search/list-event-views";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportEvents);
