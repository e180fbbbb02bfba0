import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ShowAccountOptions, showAccountOptions } from "@/lib/identity/accounts/get-account-options";
import { UpdateAccountOptions, updateAccountOptions } from "@/lib/identity/accounts/update-account-options";

export const GET = endpoint(ShowAccountOptions, showAccountOptions, authenticateSession);
export const PATCH = endpoint(UpdateAccountOptions, updateAccountOptions, authenticateSession);
