import { GetAudit, getAudit } from "@/lib/lines/reputation/get-audit";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetAudit, getAudit);
