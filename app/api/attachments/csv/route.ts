import { csvEndpoint } from "@/lib/http/csv-endpoint";
import { ExportAttachments, exportAttachments } from "@/lib/messaging/attachments/export-attachments";

export const GET = csvEndpoint(ExportAttachments, exportAttachments);
