import { RequestAudit, requestAudit } from "@/lib/lines/reputation/request-audit";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(RequestAudit, requestAudit, authenticateSession);
