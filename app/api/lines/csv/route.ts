import { exportLines } from "@/lib/lines/lines/export-lines";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportLines);
