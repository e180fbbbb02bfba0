import { ListAccountChanges, listAccountChanges } from "@/lib/audit/list-account-changes";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListAccountChanges, listAccountChanges, authenticateSession);
