import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { RequestAudit, requestAudit } from "@/lib/messaging/health/request-audit";

export const POST = endpoint(RequestAudit, requestAudit, authenticateSession);
