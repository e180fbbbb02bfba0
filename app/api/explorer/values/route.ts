import { GetExplorerValues, getExplorerValues } from "@/lib/docs/reference/get-explorer-values";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetExplorerValues, getExplorerValues, authenticateSession);
