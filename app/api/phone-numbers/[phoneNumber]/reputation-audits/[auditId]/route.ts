import { GetAuditView, getAuditView } from "@/lib/lines/reputation/get-audit-view";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetAuditView, getAuditView, authenticateSession);
