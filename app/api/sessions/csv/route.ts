import { exportSessions } from "@/lib/identity/sessions/list-sessions";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportSessions);
