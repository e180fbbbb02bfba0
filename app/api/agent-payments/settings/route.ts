import {
  GetAgentPaySettings,
  getAgentPaySettings,
  UpdateAgentPaySettings,
  updateAgentPaySettings,
} from "@/lib/agent-payments/update-agent-pay-settings";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetAgentPaySettings, getAgentPaySettings, authenticateSession);
export const PATCH = endpoint(UpdateAgentPaySettings, updateAgentPaySettings, authenticateSession);
