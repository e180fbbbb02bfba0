import { exportSessions } from "@/lib/identity/users/list-sessions";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportSessions);
