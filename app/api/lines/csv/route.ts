import { exportLines } from "@/lib/lines/overview/list-line-views";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportLines);
