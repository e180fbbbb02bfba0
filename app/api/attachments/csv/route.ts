import { exportAttachments } from "@/lib/attachments/files/list-attachment-views";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportAttachments);
