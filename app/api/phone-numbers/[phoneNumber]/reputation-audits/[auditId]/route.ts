import { GetAudit, getAudit } from "@/lib/lines/reputation/get-audit";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetAudit, getAudit, authenticateSession);
