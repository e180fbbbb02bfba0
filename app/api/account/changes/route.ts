import { ListAccountChanges, listAccountChanges } from "@/lib/identity/audit/list-account-changes";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListAccountChanges, listAccountChanges, authenticateSession);
