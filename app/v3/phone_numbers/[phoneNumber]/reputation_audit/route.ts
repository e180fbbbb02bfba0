import { RequestAudit, requestAudit } from "@/lib/messaging/health/request-audit";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(RequestAudit, requestAudit);
