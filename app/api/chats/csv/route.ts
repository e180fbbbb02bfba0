import { exportConversations } from "@/lib/messaging/chats/export-conversations";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportConversations);
