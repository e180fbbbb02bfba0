import { csvEndpoint } from "@/lib/http/csv-endpoint";
import { ExportBlocks, exportBlocks } from "@/lib/recipients/blocks/export-blocks";

export const GET = csvEndpoint(ExportBlocks, exportBlocks);
