import { exportRequests } from "@/lib/request-log/search/list-requests";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportRequests);
