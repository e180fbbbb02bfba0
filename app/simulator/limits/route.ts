import { endpoint } from "@/lib/runtime/http/endpoint";
import { ChangeLimits, changeLimits, GetLimits, getLimits } from "@/lib/simulator/faults/change-limits";

export const GET = endpoint(GetLimits, getLimits);
export const PUT = endpoint(ChangeLimits, changeLimits);
