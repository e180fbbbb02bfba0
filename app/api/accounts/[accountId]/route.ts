import { UpdateAccount, updateAccount } from "@/lib/identity/accounts/update-account";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PATCH = endpoint(UpdateAccount, updateAccount, authenticateSession);
