import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import {
  GetAgentPaySettings,
  getAgentPaySettings,
  UpdateAgentPaySettings,
  updateAgentPaySettings,
} from "@/lib/payments/agent-payments/update-agent-pay-settings";

export const GET = endpoint(GetAgentPaySettings, getAgentPaySettings, authenticateSession);
export const PATCH = endpoint(UpdateAgentPaySettings, updateAgentPaySettings, authenticateSession);
