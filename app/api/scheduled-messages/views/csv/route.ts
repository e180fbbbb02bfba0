import { exportScheduledMessages } from "@/lib/messaging/scheduled/list-scheduled-message-views";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportScheduledMessages);
