import { csvEndpoint } from "@/lib/http/csv-endpoint";
import { ExportOptOuts, exportOptOuts } from "@/lib/recipients/opt-outs/export-opt-outs";

export const GET = csvEndpoint(ExportOptOuts, exportOptOuts);
