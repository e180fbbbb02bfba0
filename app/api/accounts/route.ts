import { AddAccount, addAccount } from "@/lib/identity/accounts/add-account";
import { ListAccounts, listAccounts } from "@/lib/identity/accounts/list-accounts";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListAccounts, listAccounts, authenticateSession);
export const POST = endpoint(AddAccount, addAccount, authenticateSession);
