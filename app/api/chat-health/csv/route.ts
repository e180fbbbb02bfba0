import { csvEndpoint } from "@/lib/http/csv-endpoint";
import { ExportChatHealth, exportChatHealth } from "@/lib/messaging/health/export-chat-health";

export const GET = csvEndpoint(ExportChatHealth, exportChatHealth);
