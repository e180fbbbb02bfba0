import { ResetPasskeys, resetPasskeys } from "@/lib/payments/wallet/reset-passkeys";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(ResetPasskeys, resetPasskeys, authenticateSession);
