import { GetAudit, getAudit } from "@/lib/messaging/health/get-audit";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetAudit, getAudit);
