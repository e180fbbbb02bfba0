import { csvEndpoint } from "@/lib/http/csv-endpoint";
import { ExportRequests, exportRequests } from "@/lib/request-log/export-requests";

export const GET = csvEndpoint(ExportRequests, exportRequests);
