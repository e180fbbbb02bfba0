import { ExportChatHealth, exportChatHealth } from "@/lib/health/export-chat-health";
import { csvEndpoint } from "@/lib/http/csv-endpoint";

export const GET = csvEndpoint(ExportChatHealth, exportChatHealth);
