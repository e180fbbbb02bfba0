import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { GetAudit, getAudit } from "@/lib/messaging/health/get-audit";

export const GET = endpoint(GetAudit, getAudit, authenticateSession);
