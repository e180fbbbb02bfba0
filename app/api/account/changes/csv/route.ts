import { exportAccountChanges } from "@/lib/identity/audit/list-account-changes";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportAccountChanges);
