import { ResetPasskeys, resetPasskeys } from "@/lib/agent-payments/reset-passkeys";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const DELETE = endpoint(ResetPasskeys, resetPasskeys, authenticateSession);
