import { ShowAccountOptions, showAccountOptions } from "@/lib/accounts/get-account-options";
import { UpdateAccountOptions, updateAccountOptions } from "@/lib/accounts/update-account-options";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ShowAccountOptions, showAccountOptions, authenticateSession);
export const PATCH = endpoint(UpdateAccountOptions, updateAccountOptions, authenticateSession);
