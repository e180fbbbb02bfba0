import { GetAudit, getAudit } from "@/lib/health/get-audit";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetAudit, getAudit, authenticateSession);
