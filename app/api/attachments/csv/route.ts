import { ExportAttachments, exportAttachments } from "@/lib/attachments/export-attachments";
import { csvEndpoint } from "@/lib/http/csv-endpoint";

export const GET = csvEndpoint(ExportAttachments, exportAttachments);
