import { csvEndpoint } from "@/lib/http/csv-endpoint";
import { ExportDeliveries, exportDeliveries } from "@/lib/webhooks/export-deliveries";

export const GET = csvEndpoint(ExportDeliveries, exportDeliveries);
