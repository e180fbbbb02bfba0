import { RestoreAccount, restoreAccount } from "@/lib/identity/accounts/archive-account";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(RestoreAccount, restoreAccount, authenticateSession);
