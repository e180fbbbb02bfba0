import { exportBlocks } from "@/lib/recipients/blocks/export-blocks";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportBlocks);
