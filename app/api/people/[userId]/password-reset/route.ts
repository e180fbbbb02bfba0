import { ResetPassword, resetPassword } from "@/lib/identity/passwords/reset-password";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ResetPassword, resetPassword, authenticateSession);
