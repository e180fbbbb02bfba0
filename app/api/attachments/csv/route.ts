import { exportAttachments } from "@/lib/attachments/export-attachments";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportAttachments);
