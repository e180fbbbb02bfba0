import { exportOptOuts } from "@/lib/recipients/opt-outs/export-opt-outs";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportOptOuts);
