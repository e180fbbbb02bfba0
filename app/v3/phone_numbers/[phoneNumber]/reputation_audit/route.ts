import { RequestAudit, requestAudit } from "@/lib/health/request-audit";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(RequestAudit, requestAudit);
