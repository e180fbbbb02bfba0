import { exportLines } from "@/lib/lines/overview/list-line-settings";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportLines);
