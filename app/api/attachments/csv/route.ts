import { exportAttachments } from "@/lib/attachments/search-attachments";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportAttachments);
