import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ResetPassword, resetPassword } from "@/lib/identity/users/reset-password";

export const POST = endpoint(ResetPassword, resetPassword, authenticateSession);
