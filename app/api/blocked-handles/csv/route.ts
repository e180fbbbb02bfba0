import { exportBlocks } from "@/lib/recipients/blocks/list-blocks";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportBlocks);
