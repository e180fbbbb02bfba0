import { GetAudit, getAudit } from "@/lib/health/get-audit";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetAudit, getAudit);
