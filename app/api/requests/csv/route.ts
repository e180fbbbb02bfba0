import { csvEndpoint } from "@/lib/http/csv-endpoint";
import { ExportRequests, exportRequests } from "@/lib/requests/export-requests";

export const GET = csvEndpoint(ExportRequests, exportRequests);
