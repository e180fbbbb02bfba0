import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ResetPasskeys, resetPasskeys } from "@/lib/payments/agent-payments/reset-passkeys";

export const DELETE = endpoint(ResetPasskeys, resetPasskeys, authenticateSession);
