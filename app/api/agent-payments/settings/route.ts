import {
  GetAgentPaySettings,
  getAgentPaySettings,
  UpdateAgentPaySettings,
  updateAgentPaySettings,
} from "@/lib/payments/agent-payments/update-agent-pay-settings";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetAgentPaySettings, getAgentPaySettings, authenticateSession);
export const PATCH = endpoint(UpdateAgentPaySettings, updateAgentPaySettings, authenticateSession);
