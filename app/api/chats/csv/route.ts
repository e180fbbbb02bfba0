import { exportChats } from "@/lib/messaging/inbox/list-chat-views";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportChats);
