import { RequestAudit, requestAudit } from "@/lib/lines/reputation/request-audit";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(RequestAudit, requestAudit);
