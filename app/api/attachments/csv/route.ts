import { ExportAttachments, exportAttachments } from "@/lib/messaging/attachments/export-attachments";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(ExportAttachments, exportAttachments);
