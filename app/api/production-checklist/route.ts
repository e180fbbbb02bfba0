import {
  GetProductionChecklist,
  getProductionChecklist,
} from "@/lib/runtime/dashboard/get-production-checklist";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetProductionChecklist, getProductionChecklist, authenticateSession);
