import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListAccountChanges, listAccountChanges } from "@/lib/identity/audit/list-account-changes";

export const GET = endpoint(ListAccountChanges, listAccountChanges, authenticateSession);
