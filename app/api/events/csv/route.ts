import { exportEvents } from "@/lib/events/export-events";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportEvents);
