import { RequestAudit, requestAudit } from "@/lib/health/request-audit";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(RequestAudit, requestAudit, authenticateSession);
