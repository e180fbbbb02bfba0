import { exportHints } from "@/lib/recipients/opt-outs/list-hints";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportHints);
