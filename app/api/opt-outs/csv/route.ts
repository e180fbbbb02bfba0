import { exportOptOuts } from "@/lib/recipients/opt-outs/list-opt-outs";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportOptOuts);
