import { exportAuditEntries } from "@/lib/identity/audit/list-audit-entries";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportAuditEntries);
