import { GetAccountOptions, getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import { UpdateAccountOptions, updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetAccountOptions, getAccountOptions, authenticateSession);
export const PATCH = endpoint(UpdateAccountOptions, updateAccountOptions, authenticateSession);
