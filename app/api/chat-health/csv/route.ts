import { exportChatHealth } from "@/lib/messaging/health/list-chat-health";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportChatHealth);
