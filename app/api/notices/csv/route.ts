import { exportNotices } from "@/lib/identity/notices/list-notices";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportNotices);
