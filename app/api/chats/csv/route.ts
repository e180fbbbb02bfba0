import { exportConversations } from "@/lib/messaging/inbox/list-conversations";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportConversations);
