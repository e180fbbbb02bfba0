import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";
import { ExportDeliveries, exportDeliveries } from "@/lib/webhooks/export-deliveries";

export const GET = csvEndpoint(ExportDeliveries, exportDeliveries);
