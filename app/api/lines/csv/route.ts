import { exportLines } from "@/lib/lines/lines/list-line-settings";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportLines);
