import { ExportBlocks, exportBlocks } from "@/lib/blocked-handles/export-blocks";
import { csvEndpoint } from "@/lib/http/csv-endpoint";

export const GET = csvEndpoint(ExportBlocks, exportBlocks);
