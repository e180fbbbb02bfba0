import { ListAuditEntries, listAuditEntries } from "@/lib/identity/audit/list-audit-entries";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListAuditEntries, listAuditEntries, authenticateSession);
