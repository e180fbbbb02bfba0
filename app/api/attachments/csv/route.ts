import { exportAttachments } from "@/lib/attachments/files/search-attachments";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportAttachments);
